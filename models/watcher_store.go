package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const watcherColumns = `w.id, w.account_id, w.name, w.county_id, w.events, w.level, w.dob, w.birth_year, w.label, w.note, w.paused, w.created_at, w.rev, w.since_rev`

// scanWatcher reads a row of extra columns followed by watcherColumns.
func (s *Store) scanWatcher(row pgx.Row, extra ...any) (*Watcher, error) {
	var (
		w      Watcher
		county *int16
		year   *int16
	)
	err := row.Scan(append(extra, &w.ID, &w.AccountID, &w.Name, &county, &w.Events, &w.Level, &w.Dob, &year, &w.Label, &w.Note, &w.Paused, &w.CreatedAt, &w.Rev, &w.SinceRev)...)
	if err != nil {
		return nil, err
	}
	if county != nil {
		w.County = s.counties.ByID(*county)
	}
	if year != nil {
		n := int(*year)
		w.BirthYear = &n
	}
	w.CreatedAt = w.CreatedAt.UTC()
	return &w, nil
}

// CreateWatcher stores a new watcher of an account. An account that has Options.MaxWatchers already
// gets CodeConflict; members out of range get CodeInvalidRequest.
func (s *Store) CreateWatcher(ctx context.Context, accountID string, n *NewWatcher) (*Watcher, error) {
	w, err := s.watcher(n)
	if err != nil {
		return nil, err
	}
	var county *int16
	if w.County != nil {
		county = &w.County.ID
	}
	// The trigger's lock comes first, so that the count that follows it is exact.
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockWatchers); err != nil {
			return err
		}
		w, err = s.scanWatcher(tx.QueryRow(ctx, `insert into watchers as w (id, account_id, name, county_id, events, level, dob, birth_year, label, note, paused, created_at)
 select $1::text, $2::text, $3::text, $4::smallint, $5::text[], $6::text, $7::date, $8::smallint, $9::text, $10::text, $11::boolean, $12::timestamptz
 where coalesce((select watchers from alert_accounts where account_id = $2), 0) < $13 returning `+watcherColumns,
			newID("alrt"), accountID, w.Name, county, w.Events, w.Level, w.Dob, w.BirthYear, w.Label, w.Note, w.Paused, s.now().UTC(), s.maxWatchers))
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, &Error{Code: CodeConflict, Message: fmt.Sprintf("the account has %d alerts, which is the most it may have; delete some first", s.maxWatchers)}
	}
	if err != nil {
		return nil, fmt.Errorf("create watcher: %w", err)
	}
	return w, nil
}

// lockWatchers takes the lock that the triggers of watchers take: until commit nobody else changes one.
const lockWatchers = `select pg_advisory_xact_lock(1919904882)`

// Watchers gives one page of an account's watchers, newest first (created_at, then id, both
// descending), with the exact total of the same snapshot. p.After is not used.
func (s *Store) Watchers(ctx context.Context, accountID string, p Page) (*WatcherPage, error) {
	out := &WatcherPage{Limit: p.Limit, Offset: p.Offset, Watchers: []*Watcher{}}
	rows, err := s.pool.Query(ctx, `select coalesce((select watchers from alert_accounts where account_id = $1), 0), w.id is not null, `+watcherColumns+`
 from (select 1) one left join (select * from watchers where account_id = $1 and deleted_at is null order by created_at desc, id desc limit $2 offset $3) w on true
 order by w.created_at desc, w.id desc`, accountID, p.Limit, p.Offset)
	if err != nil {
		return nil, fmt.Errorf("list watchers: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var some bool
		raw := rows.RawValues()
		if some = raw[2] != nil; !some { // past the end: the total stands beside nulls
			err = rows.Scan(append([]any{&out.Total, nil}, make([]any, len(raw)-2)...)...)
		} else {
			var w *Watcher
			w, err = s.scanWatcher(rows, &out.Total, nil)
			out.Watchers = append(out.Watchers, w)
		}
		if err != nil {
			return nil, fmt.Errorf("read watcher: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list watchers: %w", err)
	}
	return out, nil
}

// errNoWatcher is the answer for a watcher that is not there, was deleted, or is another account's.
func errNoWatcher() *Error { return NotFound("there is no alert with this id") }

// Watcher gives a watcher of the account; a deleted one is not found.
func (s *Store) Watcher(ctx context.Context, accountID, id string) (*Watcher, error) {
	if err := plainText("id", id); err != nil {
		return nil, err
	}
	w, err := s.scanWatcher(s.pool.QueryRow(ctx, `select `+watcherColumns+` from watchers w where w.id = $1 and w.account_id = $2 and w.deleted_at is null`, id, accountID))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoWatcher()
	}
	if err != nil {
		return nil, fmt.Errorf("read watcher: %w", err)
	}
	return w, nil
}

// WatchersByID gives those of the account's watchers that ids name, deleted ones too: for showing what
// an event or a delivery belongs to. The order is that of ids; unknown ids are left out.
func (s *Store) WatchersByID(ctx context.Context, accountID string, ids []string) ([]*Watcher, error) {
	rows, err := s.pool.Query(ctx, `select `+watcherColumns+` from watchers w where w.id = any($1) and w.account_id = $2`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*Watcher, error) { return s.scanWatcher(row) })
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	return byID(found, ids, func(w *Watcher) string { return w.ID }), nil
}

// byID sorts records by the place of their id in ids.
func byID[T any](records []*T, ids []string, id func(*T) string) []*T {
	at := make(map[string]*T, len(records))
	for _, r := range records {
		at[id(r)] = r
	}
	out := make([]*T, 0, len(records))
	for _, k := range ids {
		if r := at[k]; r != nil {
			out = append(out, r)
		}
	}
	return out
}

// UpdateWatcher changes a watcher of the account and gives it as it then is. One that is paused fires
// nothing, and what was still under way for it is dropped, reason paused, save what takes back something
// that was told; what happened meanwhile is not made up for when the pause ends.
func (s *Store) UpdateWatcher(ctx context.Context, accountID, id string, c WatcherChange) (*Watcher, error) {
	if err := plainText("id", id); err != nil {
		return nil, err
	}
	var w *Watcher
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		w, err = s.scanWatcher(tx.QueryRow(ctx, `select `+watcherColumns+` from watchers w where w.id = $1 and w.account_id = $2 and w.deleted_at is null for update`, id, accountID))
		if err != nil {
			return err
		}
		if c.Seen != nil && *c.Seen != w.Version() {
			return ErrChanged
		}
		if err := w.change(c); err != nil {
			return err
		}
		w, err = s.scanWatcher(tx.QueryRow(ctx, `update watchers w set events = $2, level = $3, label = $4, note = $5, paused = $6 where id = $1 returning `+watcherColumns,
			id, w.Events, w.Level, w.Label, w.Note, w.Paused))
		if err != nil || !w.Paused {
			return err
		}
		return cancelDeliveries(ctx, tx, `d.watcher_id = $1 and not `+owedDelivery, id, DropPaused, s.now().UTC())
	})
	var known *Error
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, errNoWatcher()
	case errors.As(err, &known):
		return nil, known
	case err != nil:
		return nil, fmt.Errorf("change watcher: %w", err)
	}
	return w, nil
}

// DeleteWatcher ends a watcher of the account: nothing fires for it any more, and its deliveries that
// were still under way end as dropped, reason cancelled. A second call is not found.
func (s *Store) DeleteWatcher(ctx context.Context, accountID, id string) error {
	if err := plainText("id", id); err != nil {
		return err
	}
	now := s.now().UTC()
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update watchers set deleted_at = $3 where id = $1 and account_id = $2 and deleted_at is null`, id, accountID, now)
		if err != nil {
			return fmt.Errorf("delete watcher: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return errNoWatcher()
		}
		return cancelDeliveries(ctx, tx, `d.watcher_id = $1`, id, DropCancelled, now)
	})
}

// cancelDeliveries drops what is under way of a watcher or a registration: those of deliveries d that the
// condition of picks, in which $1 is id and $4 is the first of args. What is on the wire at this moment may
// land; it is not tried again.
func cancelDeliveries(ctx context.Context, tx pgx.Tx, of, id string, why DropReason, now time.Time, args ...any) error {
	// Locked in one order, as by whoever records attempts.
	_, err := tx.Exec(ctx, `update deliveries d set state = 'dropped', reason = $2, next_attempt = null, updated_at = $3
 from (select d.id from deliveries d where `+of+` and d.state in ('pending', 'failed') order by d.id for update) open
 where d.id = open.id`, append([]any{id, why, now}, args...)...)
	if err != nil {
		return fmt.Errorf("cancel deliveries: %w", err)
	}
	return nil
}
