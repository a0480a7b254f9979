package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// HoldSource stops a source by an operator's word: what it brings is kept raw and not applied, until it is released. The note
// says why; it holds no personal data. What a source is held for already stays its note. A note of more than 300 characters is
// refused.
func (s *Store) HoldSource(ctx context.Context, id, note string, now time.Time) error {
	note, err := models.NameText("why", note, 300)
	if err != nil {
		return err
	}
	return failed("record hold", id, s.change(ctx, id, func(_ *gorm.DB, src *models.SourceRow) error {
		src.Hold(note, now)
		return nil
	}))
}

// ReleaseSource lets a held or refused source go on. Of a held one the first run that was held is approved: until the next
// complete snapshot, its own, and any that does no worse, is taken; columns that the next one has are the known ones. A refused
// one is asked again. For any other source that would only take away a guard: it is refused.
func (s *Store) ReleaseSource(ctx context.Context, id string) error { return s.release(ctx, id, false) }

// ReleaseRenumbered is ReleaseSource for a source that is held because its keys were renumbered. Until its next complete
// snapshot, a new key with the name and instant of booking of a key that is gone means the same booking, not a new one.
func (s *Store) ReleaseRenumbered(ctx context.Context, id string) error {
	return s.release(ctx, id, true)
}

func (s *Store) release(ctx context.Context, id string, renumbered bool) error {
	return failed("record release", id, s.change(ctx, id, func(tx *gorm.DB, src *models.SourceRow) error {
		if src.HeldSince == nil && (renumbered || src.RefusedSince == nil) {
			return models.Invalid("id", "source "+id+" is not held, so there is nothing to release; nothing was changed")
		}
		held, err := firstHeld(tx, src)
		if err != nil {
			return err
		}
		src.Release(held)
		src.Renumbered = src.Renumbered || renumbered
		return nil
	}))
}

// firstHeld returns the first run that the present hold of a source kept from being applied, of those after the one that was
// approved last; nil when there is none.
func firstHeld(tx *gorm.DB, src *models.SourceRow) (*int64, error) {
	if src.HeldSince == nil {
		return nil, nil //nolint:nilnil // nothing was held
	}
	held := tx.Select("id").Where("source_id = ? and state = ? and finished_at >= ?", src.ID, models.RunHeld, src.HeldSince)
	if src.WaivedRun != nil {
		held = held.Where("id > ?", *src.WaivedRun)
	}
	var r models.Run
	err := held.Order("id").Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // an operator held it, and no run came since
	}
	if err != nil {
		return nil, fmt.Errorf("look for the held run: %w", err)
	}
	return &r.ID, nil
}

// AskAgain forgets that a source is left alone for a while because it failed. Whether it is held or refused stays.
func (s *Store) AskAgain(ctx context.Context, id string) error {
	return failed("forget failures", id, touched(id, s.rows(ctx).Model(&models.SourceRow{}).Where("id = ?", id).Update("not_before", nil)))
}

// AcceptColumns makes the columns of a source's next snapshot the known ones: an operator looked at what changed, and the
// document fits it.
func (s *Store) AcceptColumns(ctx context.Context, id string) error {
	return failed("accept columns", id, s.change(ctx, id, func(_ *gorm.DB, src *models.SourceRow) error {
		src.AcceptColumns()
		return nil
	}))
}
