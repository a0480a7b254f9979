package alert

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
	"rollcall/models/delivery"
)

// Label is a label of an account with the watchers that bear it.
type Label struct {
	Label    string
	Watchers int // paused ones included
	Paused   int
}

// LabelChange is what is done to all watchers of a label at once.
type LabelChange string

// The changes of all watchers of a label.
const (
	PauseLabel  LabelChange = "pause"
	ResumeLabel LabelChange = "resume"
	DeleteLabel LabelChange = "delete"
)

// WatcherLabels returns the labels of an account's watchers, by their names.
func (s *Store) WatcherLabels(ctx context.Context, accountID string) ([]*Label, error) {
	found := []*Label{}
	err := s.rows(ctx).Model(&models.Watcher{}).Scopes(of(accountID)).Where("label is not null").
		Select("label, count(*) as watchers, count(*) filter (where paused) as paused").Group("label").Order("label").Find(&found).Error
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
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		all := func() *gorm.DB { return tx.Gorm().Model(&models.Watcher{}).Scopes(of(accountID), labelled(&label)) }
		var total int64
		if err := all().Count(&total).Error; err != nil {
			return err
		}
		out.Total = int(total)
		return all().Order("created_at desc, id desc").Limit(p.Limit).Offset(p.Offset).Find(&out.Watchers).Error
	})
	if err != nil {
		return nil, fmt.Errorf("list watchers of a label: %w", err)
	}
	return out, nil
}

// ChangeLabel pauses, resumes or deletes all watchers of a label in one transaction, and returns how many changed. What
// was under way for them ends as UpdateWatcher and DeleteWatcher have it. A label that no watcher bears is CodeNotFound.
func (s *Store) ChangeLabel(ctx context.Context, accountID, label string, c LabelChange) (changed int, err error) {
	if err := models.PlainText("label", label); err != nil {
		return 0, err
	}
	now := s.Moment()
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		if err := tx.Gorm().Exec(db.LockWatchers).Error; err != nil {
			return err
		}
		var all []*models.Watcher
		if err := tx.Gorm().Select("id", "paused").Scopes(of(accountID), labelled(&label)).Find(&all).Error; err != nil {
			return err
		}
		if len(all) == 0 {
			return models.NotFound("no alert has this label")
		}
		var ids []string
		for _, w := range all {
			if c == DeleteLabel || w.Paused != (c == PauseLabel) {
				ids = append(ids, w.ID)
			}
		}
		changed = len(ids)
		rows := tx.Gorm().Model(&models.Watcher{}).Scopes(of(accountID), labelled(&label))
		switch c {
		case PauseLabel:
			if err := rows.Where("not paused").Update("paused", true).Error; err != nil {
				return err
			}
			return delivery.CancelPaused(ctx, tx.Pgx(), now, ids...)
		case ResumeLabel:
			return rows.Where("paused").Update("paused", false).Error
		case DeleteLabel:
			if err := rows.Update("deleted_at", now).Error; err != nil {
				return err
			}
			return delivery.CancelDeleted(ctx, tx.Pgx(), now, ids...)
		}
		return models.InvalidBody("change", "change is one of pause, resume, delete")
	})
	if err != nil {
		return 0, db.Known("change watchers of a label", err)
	}
	return changed, nil
}
