package account

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"rollcall/models"
	"rollcall/models/db"
)

// RecordEvent adds to the trail of an account, now.
func (s *Store) RecordEvent(ctx context.Context, e models.AccountEvent) error {
	e.At = s.Now()
	return record(ctx, s.Pool(), e)
}

// RecordDeed adds a deed to the trail of its account, now. A key appears by its label and prefix.
func (s *Store) RecordDeed(ctx context.Context, d models.Deed) error {
	_, err := s.Pool().Exec(ctx, `insert into account_events (account_id, at, actor, action, subject) select $1, $2, coalesce(
 (select email from users where id = $3), (select 'key ' || label || ' (' || prefix || '…)' from api_keys where id = $4), 'a program'), $5, $6`,
		d.AccountID, s.Now().UTC(), d.UserID, d.KeyID, d.Action, d.Subject)
	if err != nil {
		return fmt.Errorf("record account event: %w", err)
	}
	return nil
}

// execer is a pool or a transaction.
type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func record(ctx context.Context, to execer, e models.AccountEvent) error {
	_, err := to.Exec(ctx, `insert into account_events (account_id, at, actor, action, subject) values ($1, $2, $3, $4, $5)`,
		e.AccountID, e.At.UTC(), e.Actor, e.Action, e.Subject)
	if err != nil {
		return fmt.Errorf("record account event: %w", err)
	}
	return nil
}

// namesSealed tells of an entry e that its subject names a record of which nothing may be shown: the number of a case, or
// the id of a booking that a hit was of.
const namesSealed = `(e.action = 'calendar address made' and exists (select from court_cases c where c.case_number = e.subject and not ` + feedShows + `)
 or e.action like 'hit judged%' and exists (select from bookings sb where sb.id = split_part(e.subject, ' ', 1) and ` + db.SealedBooking + `))`

// AccountEvents gives at most limit entries of an account's trail, newest first, older than the entry before (0: from the
// newest on). What an entry names is left out while it is a record that is withheld.
func (s *Store) AccountEvents(ctx context.Context, accountID string, before int64, limit int) ([]models.AccountEvent, error) {
	rows, err := s.Pool().Query(ctx, `select id, account_id, at, actor, action, case when `+namesSealed+` then '' else subject end from account_events e
 where account_id = $1 and ($2 = 0 or id < $2) order by id desc limit $3`, accountID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read account events: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.AccountEvent])
	if err != nil {
		return nil, fmt.Errorf("read account events: %w", err)
	}
	return all, nil
}
