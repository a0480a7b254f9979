package source

import (
	"context"
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

// ReleaseSource lets a held or refused source go on without applying what was held: its next snapshot is judged against what is
// known then. A refused one is asked again. For any other source that would only take away a guard: it is refused.
func (s *Store) ReleaseSource(ctx context.Context, id string) error {
	return failed("record release", id, s.change(ctx, id, func(_ *gorm.DB, src *models.SourceRow) error {
		if src.HeldSince == nil && src.RefusedSince == nil {
			return models.NotHeld(id)
		}
		src.Release()
		return nil
	}))
}

// AskAgain forgets that a source is left alone for a while because it failed. Whether it is held or refused stays.
func (s *Store) AskAgain(ctx context.Context, id string) error {
	return failed("forget failures", id, touched(id, s.rows(ctx).Model(&models.SourceRow{}).Where("id = ?", id).Update("not_before", nil)))
}

// AcceptColumns makes the columns of a source's next snapshot the known ones: an operator looked at what changed, and the
// document fits it.
func (s *Store) AcceptColumns(ctx context.Context, id string) error {
	if source, county := models.SplitScope(id); county != "" {
		return models.Invalid("id", "the columns are those of source "+source+", not of one of its counties; nothing was changed")
	}
	return failed("accept columns", id, s.change(ctx, id, func(_ *gorm.DB, src *models.SourceRow) error {
		src.AcceptColumns()
		return nil
	}))
}
