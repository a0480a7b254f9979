package alert

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
)

// errNoEdit is for a place in a history that is none.
var errNoEdit = models.Invalid("after", "after is not the id of an edit of this alert")

// Edits returns the edits of a watcher of the account, newest first: those behind the edit with the id p.After, if it is given.
// Another account's watcher has none.
func (s *Store) Edits(ctx context.Context, accountID, watcherID string, p models.Page) ([]*models.WatcherEdit, error) {
	q := s.rows(ctx).Table("watcher_edits e").Joins("join watchers w on w.id = e.watcher_id").Select("e.*").
		Where("e.watcher_id = ? and w.account_id = ?", watcherID, accountID)
	if p.After != "" {
		rev, err := strconv.ParseInt(p.After, 10, 64)
		if err != nil {
			return nil, errNoEdit
		}
		q = q.Where("e.rev < ?", rev)
	}
	var found []*models.WatcherEdit
	if err := q.Order("e.rev desc").Limit(p.Limit).Find(&found).Error; err != nil {
		return nil, fmt.Errorf("list edits: %w", err)
	}
	return found, nil
}

// edits are changes of watchers by one actor, until their transaction writes them.
type edits struct {
	s    *Store
	by   models.Actor
	list []*models.WatcherEdit
}

// add notes what a watcher has otherwise than before, if that is anything. now has the revision that the change made.
func (e *edits) add(before, now *models.Watcher) {
	if changes := now.ChangesSince(before); changes != nil {
		e.list = append(e.list, &models.WatcherEdit{WatcherID: now.ID, Rev: now.Rev, Changes: changes})
	}
}

// write stores the edits. It is in the transaction of the changes, which holds the lock on the account's watchers: so no change is without
// its edit, and those of two people are one after the other.
func (e *edits) write(ctx context.Context, tx *joint.Tx) error {
	if len(e.list) == 0 {
		return nil
	}
	by, at := "", e.s.Moment()
	if err := tx.Gorm().Raw("select actor_of(?, ?)", e.by.UserID, e.by.KeyID).Row().Scan(&by); err != nil {
		return fmt.Errorf("read who edits: %w", err)
	}
	// A change of many writes as many edits while the account waits for its lock, so they are copied.
	_, err := tx.Pgx().CopyFrom(ctx, pgx.Identifier{"watcher_edits"}, []string{"watcher_id", "rev", "by", "at", "changes"},
		pgx.CopyFromSlice(len(e.list), func(i int) ([]any, error) {
			return []any{e.list[i].WatcherID, e.list[i].Rev, by, at, e.list[i].Changes}, nil
		}))
	if err != nil {
		return fmt.Errorf("write edits: %w", err)
	}
	return nil
}

// forgetEdits deletes the edits of watchers, which are deleted in this transaction.
func forgetEdits(tx *gorm.DB, watcherIDs ...string) error {
	return tx.Where("watcher_id = any (?)", column.Array[string](watcherIDs)).Delete(&models.WatcherEdit{}).Error
}
