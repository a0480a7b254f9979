package alert

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// watcherChunk is how many watchers or hits one statement reads or writes.
const watcherChunk = 2000

// EachWatcher passes the watchers of an account to see, in the order of Watchers, paused ones included. A label narrows;
// nil: all. It holds no more than watcherChunk of them, so its end may know what its beginning did not.
func (s *Store) EachWatcher(ctx context.Context, accountID string, label *string, see func(*models.Watcher) error) error {
	last := (*models.Watcher)(nil)
	for {
		q := s.rows(ctx).Scopes(of(accountID), labelled(label))
		if last != nil {
			q = q.Where("(created_at, id) < (?, ?)", last.CreatedAt, last.ID)
		}
		var found []*models.Watcher
		if err := q.Order("created_at desc, id desc").Limit(watcherChunk).Find(&found).Error; err != nil {
			return fmt.Errorf("read watchers: %w", err)
		}
		for _, w := range found {
			if err := see(w); err != nil {
				return err
			}
		}
		if len(found) < watcherChunk {
			return nil
		}
		last = found[len(found)-1]
	}
}

// labelled narrows watchers to those of a label; nil does not.
func labelled(label *string) func(*gorm.DB) *gorm.DB {
	return func(q *gorm.DB) *gorm.DB {
		if label == nil {
			return q
		}
		return q.Where("label = ?", *label)
	}
}

// EachHit passes the hits of an account's watchers to see, newest first, with what they are of. Hits on records that are
// not published are left out, as are those of deleted watchers. A label narrows to watchers that bear it.
func (s *Store) EachHit(ctx context.Context, accountID string, label *string, see func(*models.FoundHit) error) error {
	last := (*models.FoundHit)(nil)
	for {
		q := s.rows(ctx).Table("published_hits h").Joins("join watchers w on w.id = h.watcher_id").Joins("join published_bookings b on b.rid = h.rid").
			Select("h.*, w.name as watcher_name, w.label, b.name, b.dob, b.birth_year, b.county_id, b.booked_at, b.charges, b.bond_cents, "+
				"coalesce((select e.kind from events e where e.watcher_id = h.watcher_id and e.rid = h.rid and e.kind in ? order by e.seq desc limit 1), ?) as event",
				models.EventKinds(), models.EventBooking).
			Where("h.account_id = ? and w.deleted_at is null", accountID)
		if label != nil {
			q = q.Where("w.label = ?", *label)
		}
		if last != nil {
			q = q.Where("(h.at, h.id) < (?, ?)", last.At, last.ID)
		}
		var found []*models.FoundHit
		if err := q.Order("h.at desc, h.id desc").Limit(watcherChunk).Find(&found).Error; err != nil {
			return fmt.Errorf("read hits: %w", err)
		}
		for _, h := range found {
			round([]*models.Hit{&h.Hit})
			if err := see(h); err != nil {
				return err
			}
		}
		if len(found) < watcherChunk {
			return nil
		}
		last = found[len(found)-1]
	}
}

// CreateWatchers stores drafts of an account (DraftWatcher) in one transaction, all or none, and returns how many. The
// first of them is the newest of the list. Drafts whose key a watcher has that changed after revision since are left out:
// somebody else made it while the drafts were read. More than the account may have is CodeConflict.
//
// Other writers of the account's watchers wait for the transaction, as do runs of sources that end with changes: four seconds
// for 100,000 on two cores. While such a run waits, other accounts wait behind it.
func (s *Store) CreateWatchers(ctx context.Context, accountID string, drafts []*models.Watcher, since int64) (created int, err error) {
	now := s.Moment()
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		// The lock comes first, so that the count that follows it is exact.
		if err := tx.Gorm().Exec(db.LockWatchers, accountID).Error; err != nil {
			return err
		}
		has, err := watchersOf(tx.Gorm(), accountID)
		if err != nil {
			return err
		}
		fresh, err := without(tx.Gorm(), accountID, drafts, since)
		if err != nil {
			return err
		}
		if created = len(fresh); created == 0 {
			return nil
		}
		if err := s.RoomForWatchers(has, created); err != nil {
			return err
		}
		for i, w := range fresh {
			w.ID, w.AccountID, w.CreatedAt = models.NewID("alrt"), accountID, now.Add(-time.Duration(i)*time.Microsecond)
		}
		return tx.Gorm().CreateInBatches(fresh, watcherChunk).Error
	})
	if err != nil {
		return 0, db.Known("create watchers", err)
	}
	return created, nil
}

// RoomForWatchers is CodeConflict where an account that has so many watchers may not have so many more.
func (s *Store) RoomForWatchers(has, more int) error {
	if has+more <= s.maxWatchers {
		return nil
	}
	return &models.Error{
		Code:    models.CodeConflict,
		Message: fmt.Sprintf("the account has %d alerts and may have %d: %d more do not fit; delete some first, or import fewer", has, s.maxWatchers, more),
	}
}

// without returns the drafts whose key none of the account's watchers has that changed after a revision.
func without(tx *gorm.DB, accountID string, drafts []*models.Watcher, since int64) ([]*models.Watcher, error) {
	var later []*models.Watcher
	if err := tx.Scopes(of(accountID)).Where("rev > ?", since).Find(&later).Error; err != nil || len(later) == 0 {
		return drafts, err
	}
	known := map[string]bool{}
	for _, w := range later {
		known[Key(w)] = true
	}
	var fresh []*models.Watcher
	for _, w := range drafts {
		if !known[Key(w)] {
			fresh = append(fresh, w)
		}
	}
	return fresh, nil
}
