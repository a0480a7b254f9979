package source

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/joint"
)

// HealSource corrects instants of a source and its scopes that lie in the future by more than ahead. They are of a
// snapshot that was read while the clock of this service was wrong. Uncorrected, all that the source reports until
// then is older than what is known, so nobody is booked or released. It returns the ids of what it corrected, without
// any when there was no such instant, and an error with CodeNotFound for an unknown source.
func (s *Store) HealSource(ctx context.Context, id string, now time.Time, ahead time.Duration) ([]string, error) {
	var ids []string
	if err := s.rows(ctx).Model(&Row{}).Where("id = ? or parent = ?", id, id).Order("id").Pluck("id", &ids).Error; err != nil {
		return nil, fmt.Errorf("find scopes of %s: %w", id, err)
	}
	if len(ids) == 0 {
		return nil, models.NoSource(id)
	}
	var healed []string
	for _, one := range ids {
		found, err := s.heal(ctx, one, now, now.Add(ahead))
		if err != nil {
			return nil, fmt.Errorf("take instants of the future of %s back: %w", one, err)
		}
		if found {
			healed = append(healed, one)
		}
	}
	return healed, nil
}

// heal corrects a source or a scope, all of it or nothing, and reports whether an instant was later than latest.
func (s *Store) heal(ctx context.Context, id string, now, latest time.Time) (found bool, err error) {
	if found, err = s.poisoned(ctx, id, latest); err != nil || !found {
		return false, err
	}
	return true, s.Joint(ctx, func(tx *joint.Tx) error {
		at, err := healRuns(tx.Gorm(), id, now, latest)
		if err != nil {
			return err
		}
		return s.needs.Heal(ctx, tx, id, latest, at)
	})
}

// poisoned reports whether a source has an instant later than latest.
func (s *Store) poisoned(ctx context.Context, id string, latest time.Time) (bool, error) {
	var n int64
	err := s.rows(ctx).Model(&Row{}).Where("id = ? and last_complete > ?", id, latest).Count(&n).Error
	if err != nil || n > 0 {
		return n > 0, err
	}
	err = s.rows(ctx).Model(&Run{}).Where("source_id = ? and snapshot_at > ?", id, latest).Count(&n).Error
	return n > 0, err
}

// healRuns corrects the runs of a source and what the source knows of them. It returns the newest instant
// that the source has truly reported, at most now. Claims of the future are set to it.
func healRuns(tx *gorm.DB, id string, now, latest time.Time) (at time.Time, err error) {
	err = tx.Model(&Run{}).Where("source_id = ? and snapshot_at > ?", id, latest).
		Update("snapshot_at", gorm.Expr("least(started_at, ?)", now)).Error
	if err != nil {
		return at, err
	}
	complete := tx.Model(&Run{}).Select("max(snapshot_at)").Where("source_id = ? and complete", id)
	err = tx.Model(&Row{}).Where("id = ? and last_complete > ?", id, latest).Update("last_complete", complete).Error
	if err != nil {
		return at, err
	}
	var newest *time.Time
	err = tx.Model(&Run{}).Select("max(snapshot_at)").Where("source_id = ?", id).Scan(&newest).Error
	if err != nil || newest == nil || newest.After(now) {
		return now, err
	}
	return *newest, nil
}
