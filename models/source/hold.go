package source

import (
	"context"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// HoldSource stops a source or scope by an operator's word: what it brings is archived and not applied, until
// it is released (DECISIONS.md, "Holding"). note says why, in at most 300 characters, and must hold no
// personal data; a longer one, or none, is a models.Error on note. The note of a hold that stands already stays.
func (s *Store) HoldSource(ctx context.Context, id, note string, now time.Time) error {
	note, err := models.Grounds("note", note, 300)
	if err != nil {
		return err
	}
	return failed("record hold", id, s.change(ctx, id, func(_ *gorm.DB, src *Row) error {
		src.Hold(note, now)
		return nil
	}))
}

// ReleaseSource lets a held or refused source go on without applying what was held. Its next snapshot is
// judged against what is known then. A refused source is asked again. A source that is neither is
// models.NotHeld: releasing it would only take away a guard.
func (s *Store) ReleaseSource(ctx context.Context, id string) error {
	return failed("record release", id, s.change(ctx, id, func(_ *gorm.DB, src *Row) error {
		if src.HeldSince == nil && src.RefusedSince == nil {
			return models.NotHeld(id)
		}
		src.Release()
		return nil
	}))
}

// RetireSource notes that a source or scope reports no more: a county left its file for good. Nobody is released. Its records
// stay as they are last known and count as stale, and no answer waits for it any more. Its next snapshot ends that. A source whose
// rows name their county is a models.Error, as its counties are retired one by one, and so is one that is held.
func (s *Store) RetireSource(ctx context.Context, id string, now time.Time) error {
	return failed("retire", id, s.change(ctx, id, func(tx *gorm.DB, src *Row) error {
		var scopes int64
		if err := tx.Model(&Row{}).Where("parent = ?", id).Count(&scopes).Error; err != nil {
			return err
		}
		switch {
		case scopes > 0 && src.CountyID == nil:
			return models.Invalid("county", "the rows of source "+id+" name their county: say which county left the source (--county), or stop its schedule with sources disable; nothing was changed")
		case src.HeldSince != nil:
			return models.Invalid("id", "source "+id+" is on hold: release it first, or discard the held data; nothing was changed")
		}
		src.Retire(now)
		return nil
	}))
}

// AskAgain ends the pause of a source that failed, so that its next run is due. Whether it is held or refused
// stays.
func (s *Store) AskAgain(ctx context.Context, id string) error {
	return failed("forget failures", id, touched(id, s.rows(ctx).Model(&Row{}).Where("id = ?", id).Update("not_before", nil)))
}

// AcceptColumns makes the columns of a source's next snapshot the known ones. An operator calls it after
// looking at what changed. Columns belong to documents, so the id of a scope is refused.
func (s *Store) AcceptColumns(ctx context.Context, id string) error {
	if source, county := models.SplitScope(id); county != "" {
		return models.Invalid("id", "the columns belong to source "+source+", not to one of its counties; nothing was changed")
	}
	return failed("accept columns", id, s.change(ctx, id, func(_ *gorm.DB, src *Row) error {
		src.AcceptColumns()
		return nil
	}))
}
