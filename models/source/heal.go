package source

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/joint"
)

// HealSource corrects instants of a source that lie in the future by more than ahead: of a snapshot that was
// taken before such were refused, or while our own clock was wrong. Uncorrected, all that the source reports
// until then would be older than what is known, and nobody would be released or seen. It does nothing if
// there is no such instant.
func (s *Store) HealSource(ctx context.Context, id string, now time.Time, ahead time.Duration) error {
	latest := now.Add(ahead)
	poisoned, err := s.poisoned(ctx, id, latest)
	if err != nil {
		return fmt.Errorf("look for instants of the future of %s: %w", id, err)
	}
	if !poisoned {
		return nil
	}
	err = s.Joint(ctx, func(tx *joint.Tx) error {
		at, err := healRuns(tx.Gorm(), id, now, latest)
		if err != nil {
			return err
		}
		return s.needs.Heal(ctx, tx.Pgx(), id, latest, at)
	})
	if err != nil {
		return fmt.Errorf("take instants of the future of %s back: %w", id, err)
	}
	return nil
}

// poisoned reports whether a source has an instant later than latest. It asks two small tables, so that a
// check costs little.
func (s *Store) poisoned(ctx context.Context, id string, latest time.Time) (bool, error) {
	var n int64
	err := s.rows(ctx).Model(&models.SourceRow{}).Where("id = ? and last_complete > ?", id, latest).Count(&n).Error
	if err != nil || n > 0 {
		return n > 0, err
	}
	err = s.rows(ctx).Model(&models.Run{}).Where("source_id = ? and snapshot_at > ?", id, latest).Count(&n).Error
	return n > 0, err
}

// healRuns corrects the runs of a source and what the source knows of them. It returns the newest instant
// that the source has truly reported, at most now. Claims of the future are set to it.
func healRuns(tx *gorm.DB, id string, now, latest time.Time) (at time.Time, err error) {
	err = tx.Model(&models.Run{}).Where("source_id = ? and snapshot_at > ?", id, latest).
		Update("snapshot_at", gorm.Expr("least(started_at, ?)", now)).Error
	if err != nil {
		return at, err
	}
	complete := tx.Model(&models.Run{}).Select("max(snapshot_at)").Where("source_id = ? and complete", id)
	err = tx.Model(&models.SourceRow{}).Where("id = ? and last_complete > ?", id, latest).Update("last_complete", complete).Error
	if err != nil {
		return at, err
	}
	var newest *time.Time
	err = tx.Model(&models.Run{}).Select("max(snapshot_at)").Where("source_id = ?", id).Scan(&newest).Error
	if err != nil || newest == nil || newest.After(now) {
		return now, err
	}
	return *newest, nil
}
