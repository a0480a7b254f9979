package alert

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/joint"
)

// Label is a label of an account with the watchers that bear it.
type Label struct {
	Label    string
	Watchers int // paused ones included
	Paused   int
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

// labelledWatchers is Watchers for those of one label.
func (s *Store) labelledWatchers(ctx context.Context, accountID, label string, p models.Page) (*models.WatcherPage, error) {
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
