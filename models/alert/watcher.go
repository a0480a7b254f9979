package alert

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/delivery"
)

// DraftWatcher gives the watcher that CreateWatcher would store, without storing it.
func (s *Store) DraftWatcher(n *models.NewWatcher) (*models.Watcher, error) { return s.watcher(n) }

// watcher makes a valid watcher of n; id, account and creation are left to the caller.
func (s *Store) watcher(n *models.NewWatcher) (*models.Watcher, error) {
	w := &models.Watcher{Name: n.Name, Events: models.EventKinds(), Level: models.LevelNormal, Dob: n.Dob, BirthYear: n.BirthYear, Label: n.Label, Note: n.Note, Paused: n.Paused}
	valid := utf8.ValidString(w.Name) && !strings.ContainsRune(w.Name, 0)
	w.Name = models.Visible(w.Name)
	if length := utf8.RuneCountInString(w.Name); !valid || length < models.MinWatcherName || length > models.MaxWatcherName || strings.IndexFunc(w.Name, unicode.IsLetter) < 0 {
		return nil, models.InvalidBody("name", "name must have 2 to 200 characters, one of them a letter")
	}
	if !match.Watchable(w.Name) || !match.Watchable(n.Name) { // what is not visible parts initials
		return nil, models.InvalidBody("name", "name must hold a first or last name of two letters or more: initials and Jr, Sr or II alone fit nobody or everybody; give the full name")
	}
	if n.County != nil {
		c, err := s.Counties().BySlug(*n.County)
		if err != nil {
			return nil, models.InvalidBody("county", err.Error())
		}
		w.County = c
	}
	if n.Dob != nil {
		if n.BirthYear != nil && *n.BirthYear != n.Dob.Year {
			return nil, models.InvalidBody("birth_year", "%s must be the year of dob, or be left out", "birth_year")
		}
		if year := n.Dob.Year; year < minBirthYear || n.Dob.In(time.UTC).After(s.Now()) {
			return nil, models.InvalidBody("dob", "dob must be a day from 1900 to today")
		}
	}
	if n.BirthYear != nil && (*n.BirthYear < minBirthYear || *n.BirthYear > s.Now().Year()) {
		return nil, models.InvalidBody("birth_year", "%s must be a year from 1900 to this one", "birth_year")
	}
	return w, w.Apply(models.WatcherChange{Events: n.Events, Level: n.Level, Label: n.Label, Note: n.Note})
}

const minBirthYear = 1900

const watcherColumns = `w.id, w.account_id, w.name, w.county_id, w.events, w.level, w.dob, w.birth_year, w.label, w.note, w.paused, w.created_at, w.rev, w.since_rev`

// scanWatcher reads a row of extra columns followed by watcherColumns.
func (s *Store) scanWatcher(row pgx.Row, extra ...any) (*models.Watcher, error) {
	var (
		w      models.Watcher
		county *int16
		year   *int16
	)
	err := row.Scan(append(extra, &w.ID, &w.AccountID, &w.Name, &county, &w.Events, &w.Level, &w.Dob, &year, &w.Label, &w.Note, &w.Paused, &w.CreatedAt, &w.Rev, &w.SinceRev)...)
	if err != nil {
		return nil, err
	}
	if county != nil {
		w.County = s.Counties().ByID(*county)
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
func (s *Store) CreateWatcher(ctx context.Context, accountID string, n *models.NewWatcher) (*models.Watcher, error) {
	w, err := s.watcher(n)
	if err != nil {
		return nil, err
	}
	var county *int16
	if w.County != nil {
		county = &w.County.ID
	}
	// The trigger's lock comes first, so that the count that follows it is exact.
	err = pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, db.LockWatchers); err != nil {
			return err
		}
		w, err = s.scanWatcher(tx.QueryRow(ctx, `insert into watchers as w (id, account_id, name, county_id, events, level, dob, birth_year, label, note, paused, created_at)
 select $1::text, $2::text, $3::text, $4::smallint, $5::text[], $6::text, $7::date, $8::smallint, $9::text, $10::text, $11::boolean, $12::timestamptz
 where coalesce((select watchers from alert_accounts where account_id = $2), 0) < $13 returning `+watcherColumns,
			models.NewID("alrt"), accountID, w.Name, county, w.Events, w.Level, w.Dob, w.BirthYear, w.Label, w.Note, w.Paused, s.Now().UTC(), s.maxWatchers))
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, &models.Error{Code: models.CodeConflict, Message: fmt.Sprintf("the account has %d alerts, which is the most it may have; delete some first", s.maxWatchers)}
	}
	if err != nil {
		return nil, fmt.Errorf("create watcher: %w", err)
	}
	return w, nil
}

// Watchers gives one page of an account's watchers, newest first (created_at, then id, both
// descending), with the exact total of the same snapshot. p.After is not used.
func (s *Store) Watchers(ctx context.Context, accountID string, p models.Page) (*models.WatcherPage, error) {
	out := &models.WatcherPage{Limit: p.Limit, Offset: p.Offset, Watchers: []*models.Watcher{}}
	rows, err := s.Pool().Query(ctx, `select coalesce((select watchers from alert_accounts where account_id = $1), 0), w.id is not null, `+watcherColumns+`
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
			var w *models.Watcher
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
func errNoWatcher() *models.Error { return models.NotFound("there is no alert with this id") }

// Watcher gives a watcher of the account; a deleted one is not found.
func (s *Store) Watcher(ctx context.Context, accountID, id string) (*models.Watcher, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	w, err := s.scanWatcher(s.Pool().QueryRow(ctx, `select `+watcherColumns+` from watchers w where w.id = $1 and w.account_id = $2 and w.deleted_at is null`, id, accountID))
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
func (s *Store) WatchersByID(ctx context.Context, accountID string, ids []string) ([]*models.Watcher, error) {
	rows, err := s.Pool().Query(ctx, `select `+watcherColumns+` from watchers w where w.id = any($1) and w.account_id = $2`, ids, accountID)
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*models.Watcher, error) { return s.scanWatcher(row) })
	if err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	return db.ByID(found, ids, func(w *models.Watcher) string { return w.ID }), nil
}

// UpdateWatcher changes a watcher of the account and gives it as it then is. One that is paused fires
// nothing, and what was still under way for it is dropped, reason paused, save what takes back something
// that was told; what happened meanwhile is not made up for when the pause ends.
func (s *Store) UpdateWatcher(ctx context.Context, accountID, id string, c models.WatcherChange) (*models.Watcher, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	var w *models.Watcher
	err := pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) (err error) {
		w, err = s.scanWatcher(tx.QueryRow(ctx, `select `+watcherColumns+` from watchers w where w.id = $1 and w.account_id = $2 and w.deleted_at is null for update`, id, accountID))
		if err != nil {
			return err
		}
		if c.Seen != nil && *c.Seen != w.Version() {
			return models.ErrChanged
		}
		if err := w.Apply(c); err != nil {
			return err
		}
		w, err = s.scanWatcher(tx.QueryRow(ctx, `update watchers w set events = $2, level = $3, label = $4, note = $5, paused = $6 where id = $1 returning `+watcherColumns,
			id, w.Events, w.Level, w.Label, w.Note, w.Paused))
		if err != nil || !w.Paused {
			return err
		}
		return delivery.CancelPaused(ctx, tx, id, s.Now().UTC())
	})
	var known *models.Error
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
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	now := s.Now().UTC()
	return pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `update watchers set deleted_at = $3 where id = $1 and account_id = $2 and deleted_at is null`, id, accountID, now)
		if err != nil {
			return fmt.Errorf("delete watcher: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return errNoWatcher()
		}
		return delivery.CancelDeleted(ctx, tx, id, now)
	})
}
