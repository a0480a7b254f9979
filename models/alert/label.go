package alert

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
	"rollcall/models/db/joint"
	"rollcall/models/delivery"
)

// Label is a label of an account with the watchers that bear it.
type Label struct {
	Label    string
	Watchers int // paused ones included
	Paused   int
}

// Chosen says which watchers of an account a change of many is for: those of a label, or those that IDs name. Exactly one of
// the two is given.
type Chosen struct {
	Label *string
	IDs   []string
}

// ManyChange is what may be changed of many watchers at once; nil leaves it as it is. An empty label takes labels away.
type ManyChange struct {
	Paused *bool
	Level  *models.MatchLevel
	Label  *string
}

// maxLabels is how many labels WatcherLabels returns: as many as a page can show.
const maxLabels = 1000

// WatcherLabels returns the labels of an account's watchers, those of the most watchers first, maxLabels at most.
func (s *Store) WatcherLabels(ctx context.Context, accountID string) ([]*Label, error) {
	found := []*Label{}
	err := s.rows(ctx).Model(&models.Watcher{}).Scopes(of(accountID)).Where("label is not null").
		Select("label, count(*) as watchers, count(*) filter (where paused) as paused").Group("label").Order("watchers desc, label").Limit(maxLabels).Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	return found, nil
}

// LabelledWatchers is Watchers for those of one label.
func (s *Store) LabelledWatchers(ctx context.Context, accountID, label string, p models.Page) (*models.WatcherPage, error) {
	if err := models.PlainText("label", label); err != nil {
		return nil, err
	}
	out := &models.WatcherPage{Limit: p.Limit, Offset: p.Offset, Watchers: []*models.Watcher{}}
	behind, err := s.behind(p)
	if err != nil {
		return nil, err
	}
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		all := func() *gorm.DB { return tx.Gorm().Model(&models.Watcher{}).Scopes(of(accountID), labelled(&label)) }
		var total int64
		if err := all().Count(&total).Error; err != nil {
			return err
		}
		out.Total = int(total)
		return all().Scopes(behind).Order("created_at desc, id desc").Limit(p.Limit + 1).Offset(p.Offset).Find(&out.Watchers).Error
	})
	if err != nil {
		return nil, fmt.Errorf("list watchers of a label: %w", err)
	}
	s.end(out, p)
	return out, nil
}

// ChangeWatchers changes the chosen watchers in one transaction, and returns how many became another. What was under way for
// those that are paused ends as UpdateWatcher has it. If none is chosen, it is CodeNotFound.
func (s *Store) ChangeWatchers(ctx context.Context, accountID string, which Chosen, c ManyChange) (changed int, err error) {
	as := models.Watcher{Level: models.LevelNormal}
	if err := as.Apply(models.WatcherChange{Level: c.Level, Label: c.Label, Paused: c.Paused}); err != nil {
		return 0, err
	}
	values := map[string]any{}
	if c.Paused != nil {
		values["paused"] = as.Paused
	}
	if c.Level != nil {
		values["level"] = as.Level
	}
	if c.Label != nil {
		values["label"] = as.Label
	}
	if len(values) == 0 {
		return 0, models.InvalidBody("input", "nothing is to be changed; say paused, level or label")
	}
	err = s.many(ctx, accountID, which, func(tx *joint.Tx, all []*models.Watcher) error {
		var ids, paused []string
		for _, w := range all {
			if err := keepsFinding(w, c.Level); err != nil {
				return err
			}
			pauses := c.Paused != nil && w.Paused != as.Paused
			if pauses || c.Level != nil && w.Level != as.Level || c.Label != nil && textOf(w.Label) != textOf(as.Label) {
				ids = append(ids, w.ID)
			}
			if pauses && as.Paused {
				paused = append(paused, w.ID)
			}
		}
		changed = len(ids)
		if err := updated(tx, ids, values); err != nil || len(paused) == 0 {
			return err
		}
		return delivery.CancelPaused(ctx, tx.Pgx(), s.Moment(), paused...)
	})
	return changed, db.Known("change watchers", err)
}

// DeleteWatchers deletes the chosen watchers in one transaction as DeleteWatcher does, and returns how many. If none is
// chosen, it is CodeNotFound.
func (s *Store) DeleteWatchers(ctx context.Context, accountID string, which Chosen) (deleted int, err error) {
	err = s.many(ctx, accountID, which, func(tx *joint.Tx, all []*models.Watcher) error {
		ids, now := make([]string, len(all)), s.Moment()
		for i, w := range all {
			ids[i] = w.ID
		}
		deleted = len(ids)
		if err := updated(tx, ids, map[string]any{"deleted_at": now}); err != nil {
			return err
		}
		return delivery.CancelDeleted(ctx, tx.Pgx(), now, ids...)
	})
	return deleted, db.Known("delete watchers", err)
}

// many passes the chosen watchers to change, in a transaction that holds the lock of the triggers.
func (s *Store) many(ctx context.Context, accountID string, which Chosen, change func(*joint.Tx, []*models.Watcher) error) error {
	if (which.Label == nil) == (len(which.IDs) == 0) {
		return models.InvalidBody("label", "say which alerts: a label, or ids")
	}
	for _, text := range append(slices.Clone(which.IDs), textOf(which.Label)) {
		if err := models.PlainText("label", text); err != nil {
			return err
		}
	}
	return s.Joint(ctx, func(tx *joint.Tx) error {
		if err := tx.Gorm().Exec(db.LockWatchers).Error; err != nil {
			return err
		}
		q := tx.Gorm().Select("id", "paused", "level", "label", "name", "county_id", "dob", "birth_year", "age", "age_on").Scopes(of(accountID), labelled(which.Label))
		if which.Label == nil {
			q = q.Where("id = any (?)", column.Array[string](which.IDs))
		}
		var all []*models.Watcher
		if err := q.Find(&all).Error; err != nil {
			return err
		}
		if len(all) == 0 && which.Label != nil {
			return models.NotFound("no alert has this label")
		}
		if len(all) == 0 {
			return models.NotFound("there is no alert with one of these ids")
		}
		return change(tx, all)
	})
}

// updated writes values to watchers, a bounded number in a statement.
func updated(tx *joint.Tx, ids []string, values map[string]any) error {
	for some := range slices.Chunk(ids, watcherChunk) {
		if err := tx.Gorm().Model(&models.Watcher{}).Where("id = any (?)", column.Array[string](some)).Updates(values).Error; err != nil {
			return err
		}
	}
	return nil
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
