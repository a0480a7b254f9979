package alert

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

const eventColumns = `e.id, e.seq, e.account_id, e.kind, e.watcher_id, e.rid, e.hit_id, e.at`

func scanEvent(row pgx.CollectableRow) (*models.AlertEvent, error) {
	var e models.AlertEvent
	err := row.Scan(&e.ID, &e.Seq, &e.AccountID, &e.Kind, &e.WatcherID, &e.RID, &e.HitID, &e.At)
	e.At = e.At.UTC()
	return &e, err
}

// LastEvent gives the id and number of the account's newest event, notices included; BeforeEvents and 0 before
// the first: where a subscription without a cursor begins.
func (s *Store) LastEvent(ctx context.Context, accountID string) (id string, seq int64, err error) {
	err = s.Pool().QueryRow(ctx, `select id, seq from events where account_id = $1 order by seq desc limit 1`, accountID).Scan(&id, &seq)
	if errors.Is(err, pgx.ErrNoRows) {
		return models.BeforeEvents, 0, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("read newest event: %w", err)
	}
	return id, seq, nil
}

// EventSeq gives the number of an event or notice of the account by its id, 0 for BeforeEvents;
// CodeInvalidParameter when there is none.
func (s *Store) EventSeq(ctx context.Context, accountID, id string) (int64, error) {
	if err := models.PlainText("after", id); err != nil {
		return 0, err
	}
	if id == models.BeforeEvents {
		return 0, nil
	}
	var seq int64
	err := s.Pool().QueryRow(ctx, `select seq from events where id = $1 and account_id = $2`, id, accountID).Scan(&seq)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, models.Invalid("after", "after is not the id of an event of this account")
	}
	if err != nil {
		return 0, fmt.Errorf("read event: %w", err)
	}
	return seq, nil
}

// LatestEvents gives up to limit of an account's newest events, the newest first, without those that EventsAfter leaves out.
func (s *Store) LatestEvents(ctx context.Context, accountID string, limit int) ([]*models.AlertEvent, error) {
	rows, err := s.Pool().Query(ctx, `select `+eventColumns+` from events e join bookings b on b.rid = e.rid and b.withheld is null
 where e.account_id = $1 and e.kind in ('booking', 'release', 'bond_change') order by e.seq desc limit $2`, accountID, limit)
	if err != nil {
		return nil, fmt.Errorf("read newest events: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanEvent)
	if err != nil {
		return nil, fmt.Errorf("read newest events: %w", err)
	}
	return found, nil
}

// EventsAfter gives up to limit events of an account after number seq, in order. Notices, and events of
// records that are not published any more, are left out. An event that is not there yet comes later
// than all that are: following by Seq misses none. NOTIFY rollcall_events tells the account's id when
// there are new ones (Listen).
func (s *Store) EventsAfter(ctx context.Context, accountID string, seq int64, limit int) ([]*models.AlertEvent, error) {
	rows, err := s.Pool().Query(ctx, `select `+eventColumns+` from events e join bookings b on b.rid = e.rid and b.withheld is null
 where e.account_id = $1 and e.seq > $2 and e.kind in ('booking', 'release', 'bond_change') order by e.seq limit $3`, accountID, seq, limit)
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanEvent)
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	return found, nil
}
