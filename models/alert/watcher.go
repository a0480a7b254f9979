package alert

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
	"rollcall/models/delivery"
)

// errNoWatcher is for a watcher that does not exist, was deleted, or is another account's.
var errNoWatcher = models.NotFound("there is no alert with this id")

// of narrows watchers to those of an account that are not deleted.
func of(accountID string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB { return q.Where("account_id = ? and deleted_at is null", accountID) }
}

// CreateWatcher stores a new watcher of an account and returns it. An account that has as many as it may have
// gets CodeConflict; fields out of range get CodeInvalidRequest. The watcher matches what is detected after
// this commits.
func (s *Store) CreateWatcher(ctx context.Context, accountID string, n *models.NewWatcher) (*models.Watcher, error) {
	w, err := s.watcher(n)
	if err != nil {
		return nil, err
	}
	w.ID, w.AccountID, w.CreatedAt = models.NewID("alrt"), accountID, s.Moment()
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		// The lock comes first, so that the count that follows it is exact.
		if err := tx.Gorm().Exec(db.LockWatchers, accountID).Error; err != nil {
			return err
		}
		has, err := watchersOf(tx.Gorm(), accountID)
		if err != nil {
			return err
		}
		if has >= s.maxWatchers {
			return &models.Error{
				Code:    models.CodeConflict,
				Message: fmt.Sprintf("the account has %d alerts, which is the most it may have; delete some first", s.maxWatchers),
			}
		}
		return tx.Gorm().Clauses(clause.Returning{}).Create(w).Error
	})
	if err != nil {
		return nil, db.Known("create watcher", err)
	}
	return w, nil
}

// watchersOf returns how many watchers of an account are not deleted.
func watchersOf(from *gorm.DB, accountID string) (int, error) {
	sums, err := sumsOf(from, accountID)
	return sums.Watchers, err
}

// sumsOf returns what triggers sum up of an account's watchers: nothing if it never had one.
func sumsOf(from *gorm.DB, accountID string) (sums models.AlertAccount, err error) {
	err = from.Where("account_id = ?", accountID).Limit(1).Find(&sums).Error
	return sums, err
}

// Watchers returns one page of an account's watchers, newest first (created_at, then id, both descending),
// with the exact total of the same snapshot, by offset or after a cursor. Paused ones are listed. A cursor of another list
// is a models.Error.
func (s *Store) Watchers(ctx context.Context, accountID string, p models.Page) (*models.WatcherPage, error) {
	out := &models.WatcherPage{Limit: p.Limit, Offset: p.Offset, Watchers: []*models.Watcher{}}
	behind, err := s.behind(p)
	if err != nil {
		return nil, err
	}
	var found []struct {
		models.Watcher `gorm:"embedded"`
		Total          int
	}
	err = s.rows(ctx).Table("watchers w").Joins("join alert_accounts a on a.account_id = w.account_id").Select("w.*, a.watchers as total").
		Where("w.account_id = ? and w.deleted_at is null", accountID).Scopes(behind).Order("w.created_at desc, w.id desc").Limit(p.Limit + 1).Offset(p.Offset).Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("list watchers: %w", err)
	}
	for i := range found {
		out.Watchers, out.Total = append(out.Watchers, &found[i].Watcher), found[i].Total
	}
	if len(found) > 0 {
		s.end(out, p)
		return out, nil
	}
	if out.Total, err = watchersOf(s.rows(ctx), accountID); err != nil { // past the end
		return nil, fmt.Errorf("count watchers: %w", err)
	}
	return out, nil
}

// watcherList is the name of the list in its cursors, and seek a place in it.
const watcherList = "watchers"

type seek struct {
	At time.Time `json:"t"`
	ID string    `json:"i"`
}

// behind narrows watchers to those behind the cursor of a page, if it has one.
func (s *Store) behind(p models.Page) (func(*gorm.DB) *gorm.DB, error) {
	if p.After == "" {
		return func(q *gorm.DB) *gorm.DB { return q }, nil
	}
	var at seek
	err := s.OpenCursor(watcherList, p.After, &at)
	return func(q *gorm.DB) *gorm.DB { return q.Where("(created_at, id) < (?, ?)", at.At, at.ID) }, err
}

// end cuts the one watcher from a page that it was read beyond its limit, and says how to go on.
func (s *Store) end(out *models.WatcherPage, p models.Page) {
	if len(out.Watchers) > p.Limit {
		out.Watchers, out.PageInfo.HasNextPage = out.Watchers[:p.Limit], true
	}
	if n := len(out.Watchers); n > 0 {
		last := out.Watchers[n-1]
		out.PageInfo.End = func() (string, error) { return s.SealCursor(watcherList, seek{last.CreatedAt, last.ID}) }
	}
}

// Watcher returns a watcher of the account; a deleted one is CodeNotFound.
func (s *Store) Watcher(ctx context.Context, accountID, id string) (*models.Watcher, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	w, err := db.One[models.Watcher](s.rows(ctx).Scopes(of(accountID)).Where("id = ?", id), errNoWatcher)
	return w, db.Known("read watcher", err)
}

// WatchersByID returns those of the account's watchers that ids name, deleted ones too: it shows what an
// event or a delivery belongs to. The order is that of ids; unknown ids are left out.
func (s *Store) WatchersByID(ctx context.Context, accountID string, ids []string) ([]*models.Watcher, error) {
	var found []*models.Watcher
	if err := s.rows(ctx).Where("id = any (?) and account_id = ?", column.Array[string](ids), accountID).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("read watchers: %w", err)
	}
	return db.ByID(found, ids, func(w *models.Watcher) string { return w.ID }), nil
}

// changeable are the columns that UpdateWatcher writes.
var changeable = []string{"name", "county_id", "dob", "birth_year", "age", "age_on", "events", "level", "label", "note", "paused"}

// UpdateWatcher changes a watcher of the account and returns it as it then is. One that watches for another person from
// now on, or knows another county or birth, sees what is detected from then on; what it found and whom it dismissed stays
// (docs/decisions/0008-stopped-alerts.md). A paused watcher makes no
// events, and what was under way for it is dropped with reason paused, except retractions of what was sent
// (docs/decisions/0008-stopped-alerts.md). What happened during a pause is not made up for. If c.Seen is set
// and the watcher has changed since, it is models.ErrChanged. Edits has what was changed by whom.
func (s *Store) UpdateWatcher(ctx context.Context, accountID, id string, c models.WatcherChange) (*models.Watcher, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	var w *models.Watcher
	err := s.Joint(ctx, func(tx *joint.Tx) (err error) {
		if err := tx.Gorm().Exec(db.LockWatchers, accountID).Error; err != nil {
			return err
		}
		if w, err = db.One[models.Watcher](tx.Gorm().Clauses(locked).Scopes(of(accountID)).Where("id = ?", id), errNoWatcher); err != nil {
			return err
		}
		if !w.Is(c.Seen) {
			return models.ErrChanged
		}
		before := *w
		if err := s.apply(w, &c); err != nil {
			return err
		}
		if err := tx.Gorm().Model(w).Clauses(clause.Returning{}).Select(changeable).Updates(w).Error; err != nil {
			return err
		}
		log := edits{s: s, by: c.By}
		log.add(&before, w)
		if err := log.write(ctx, tx); err != nil || !w.Paused {
			return err
		}
		return delivery.CancelPaused(ctx, tx.Pgx(), s.Moment(), id)
	})
	if err != nil {
		return nil, db.Known("change watcher", err)
	}
	return w, nil
}

// DeleteWatcher ends a watcher of the account: it makes no more events, and its deliveries that were under
// way are dropped with reason cancelled. Its edits are deleted. One request that is on the wire may still arrive. A second call is
// CodeNotFound.
func (s *Store) DeleteWatcher(ctx context.Context, accountID, id string) error {
	return s.DeleteSeenWatcher(ctx, accountID, id, nil)
}

// DeleteSeenWatcher is DeleteWatcher of a watcher whose version or state is seen. If it has changed since, it is
// models.ErrChanged, and nothing is deleted.
func (s *Store) DeleteSeenWatcher(ctx context.Context, accountID, id string, seen *string) error {
	if err := models.PlainText("id", id); err != nil {
		return err
	}
	now := s.Moment()
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if err := tx.Gorm().Exec(db.LockWatchers, accountID).Error; err != nil {
			return fmt.Errorf("delete watcher: %w", err)
		}
		if seen != nil {
			w, err := db.One[models.Watcher](tx.Gorm().Clauses(locked).Scopes(of(accountID)).Where("id = ?", id), errNoWatcher)
			if err != nil {
				return db.Known("delete watcher", err)
			}
			if !w.Is(seen) {
				return models.ErrChanged
			}
		}
		gone := tx.Gorm().Model(&models.Watcher{}).Scopes(of(accountID)).Where("id = ?", id).Update("deleted_at", now)
		if gone.Error != nil {
			return fmt.Errorf("delete watcher: %w", gone.Error)
		}
		if gone.RowsAffected == 0 {
			return errNoWatcher
		}
		if err := forgetEdits(tx.Gorm(), id); err != nil {
			return fmt.Errorf("delete edits: %w", err)
		}
		return delivery.CancelDeleted(ctx, tx.Pgx(), now, id)
	})
}
