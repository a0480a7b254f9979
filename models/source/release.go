package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models"
)

// UndoFor is how long a release that an operator decided on a page can be undone: it is applied after that.
const UndoFor = time.Minute

// ReleasesFor is how long the page of a source shows how its last release ended.
const ReleasesFor = time.Hour

// Release is an operator's decision that a held source goes on. It is applied when it is due. It is the GORM model of
// source_releases.
type Release struct {
	ID         int64      `gorm:"primaryKey"`
	SourceID   string     // the source or scope
	HeldSince  time.Time  `gorm:"serializer:utc"` // when the hold began that it ends
	HeldRun    *int64     // whose snapshot it applies; nil: there is none
	Renumbered bool       // people are recognised under new keys
	Actor      string     // who decided, by address
	DecidedAt  time.Time  `gorm:"serializer:utc"`
	DueAt      time.Time  `gorm:"serializer:utc"` // until then it can be undone
	StartedAt  *time.Time `gorm:"serializer:utc"` // when a worker took it; nil: none has
	EndedAt    *time.Time `gorm:"serializer:utc"` // nil: it is open
	Outcome    *ReleaseOutcome
	Note       *string // why it failed
}

// TableName is the table of releases.
func (Release) TableName() string { return "source_releases" }

// ReleaseOutcome is how a release ended.
type ReleaseOutcome string

// The outcomes of releases.
const (
	ReleaseApplied   ReleaseOutcome = "applied"
	ReleaseFailed    ReleaseOutcome = "failed"    // the hold stands
	ReleaseUndone    ReleaseOutcome = "undone"    // the hold stands
	ReleaseOvertaken ReleaseOutcome = "overtaken" // the hold had ended otherwise
)

// Open reports whether the release is yet to be applied.
func (r *Release) Open() bool { return r.EndedAt == nil }

// DecideRelease notes that a held source is to be released after a time, until which UndoRelease takes it back. r names the
// source, who decides and whether its keys were renumbered. A source that is not held is models.NotHeld; one with an open
// release is CodeConflict.
func (s *Store) DecideRelease(ctx context.Context, r Release, after time.Duration) (*Release, error) {
	now := s.Now().UTC()
	err := s.change(ctx, r.SourceID, func(tx *gorm.DB, src *Row) error {
		switch {
		case src.HeldSince == nil:
			return models.NotHeld(r.SourceID)
		case src.HeldRun == nil && r.Renumbered:
			return models.Invalid("renumbered", "no snapshot of "+src.Title+" is on hold, so no keys can count as renumbered; nothing was changed")
		}
		r.HeldSince, r.HeldRun, r.DecidedAt, r.DueAt = *src.HeldSince, src.HeldRun, now, now.Add(after)
		// The row of the source is locked, so two operators cannot both find none.
		var open int64
		if err := tx.Model(&Release{}).Where("source_id = ? and ended_at is null", r.SourceID).Count(&open).Error; err != nil {
			return err
		}
		if open > 0 {
			return &models.Error{Code: models.CodeConflict, Message: "source " + r.SourceID + " is already about to be released; nothing was changed"}
		}
		return tx.Create(&r).Error
	})
	return &r, failed("note release", r.SourceID, err)
}

// UndoRelease takes back the open release of a source; the hold stands. One that a worker has begun to apply, and a source
// without an open one, are CodeConflict.
func (s *Store) UndoRelease(ctx context.Context, sourceID string) error {
	done := s.rows(ctx).Model(&Release{}).Where("source_id = ? and ended_at is null and started_at is null", sourceID).
		Updates(map[string]any{"ended_at": s.Now().UTC(), "outcome": ReleaseUndone})
	if done.Error != nil {
		return fmt.Errorf("undo release of %s: %w", sourceID, done.Error)
	}
	if done.RowsAffected > 0 {
		return nil
	}
	last, err := s.LastRelease(ctx, sourceID)
	if err != nil {
		return err
	}
	return tooLate(last)
}

// tooLate says why the last release of a source cannot be undone; nil: it had none.
func tooLate(last *Release) error {
	switch {
	case last != nil && last.Open():
		return &models.Error{Code: models.CodeConflict, Message: "too late to undo: the release is being applied"}
	case last != nil && *last.Outcome == ReleaseApplied:
		at := last.EndedAt.In(models.Georgia).Format("Jan 2, 2006, 3:04:05 PM")
		return &models.Error{Code: models.CodeConflict, Message: "too late to undo: the hold ended at " + at}
	}
	return &models.Error{Code: models.CodeConflict, Message: "no release is waiting, so there is nothing to undo"}
}

// LastRelease returns the open release of a source, or else the last one; nil if it had none.
func (s *Store) LastRelease(ctx context.Context, sourceID string) (*Release, error) {
	var all []*Release
	if err := s.rows(ctx).Where("source_id = ?", sourceID).Order("id desc").Limit(1).Find(&all).Error; err != nil {
		return nil, fmt.Errorf("read releases of %s: %w", sourceID, err)
	}
	if len(all) == 0 {
		return nil, nil //nolint:nilnil // it had none
	}
	return all[0], nil
}

// OpenReleases returns the releases that are yet to be applied, by the id of their source.
func (s *Store) OpenReleases(ctx context.Context) (map[string]*Release, error) {
	var all []*Release
	if err := s.rows(ctx).Where("ended_at is null").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("read open releases: %w", err)
	}
	out := make(map[string]*Release, len(all))
	for _, r := range all {
		out[r.SourceID] = r
	}
	return out, nil
}

// DueReleases returns the open releases whose time has come, the oldest first. Those that a process began to apply and did
// not end are among them.
func (s *Store) DueReleases(ctx context.Context) (all []*Release, err error) {
	if err := s.rows(ctx).Where("ended_at is null and due_at <= ?", s.Now().UTC()).Order("id").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("read releases that are due: %w", err)
	}
	return all, nil
}

// BeginRelease takes a due release for applying: from now on it cannot be undone. again reports that a process took it before,
// which died or applies it still. It returns nil where there is nothing to apply: it was undone, or the hold ended otherwise,
// or a process that died meanwhile had applied it; then it is ended.
func (s *Store) BeginRelease(ctx context.Context, id int64) (begun *Release, again bool, err error) {
	r := Release{ID: id}
	if err := s.rows(ctx).Take(&r).Error; err != nil {
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil, false, nil // the source is gone
		}
		return nil, false, fmt.Errorf("read release %d: %w", id, err)
	}
	now := s.Now().UTC()
	// The source's row is locked first, as where the release was decided.
	err = s.change(ctx, r.SourceID, func(tx *gorm.DB, src *Row) error {
		if err := tx.Clauses(clause.Locking{Strength: "update"}).Take(&r).Error; err != nil {
			return err
		}
		if !r.Open() || r.DueAt.After(now) {
			return nil
		}
		if src.HeldSince == nil || !src.HeldSince.Equal(r.HeldSince) {
			outcome := ReleaseOvertaken
			if r.StartedAt != nil && r.HeldRun != nil && src.ReleasedRun != nil && *src.ReleasedRun == *r.HeldRun {
				outcome = ReleaseApplied
			}
			return tx.Model(&r).Updates(map[string]any{"ended_at": now, "outcome": outcome}).Error
		}
		begun, again = &r, r.StartedAt != nil
		return tx.Model(&r).Update("started_at", now).Error
	})
	return begun, again, failed("begin release", r.SourceID, err)
}

// PutReleaseBack undoes BeginRelease where the source is being read at the moment: the release is due still, and can be undone.
func (s *Store) PutReleaseBack(ctx context.Context, id int64) error {
	err := s.rows(ctx).Model(&Release{}).Where("id = ? and ended_at is null", id).Update("started_at", nil).Error
	if err != nil {
		return fmt.Errorf("put release %d back: %w", id, err)
	}
	return nil
}

// EndRelease notes how a release ended. note says why it failed, and names nobody.
func (s *Store) EndRelease(ctx context.Context, id int64, outcome ReleaseOutcome, note string) error {
	err := s.rows(ctx).Model(&Release{}).Where("id = ? and ended_at is null", id).
		Updates(map[string]any{"ended_at": s.Now().UTC(), "outcome": outcome, "note": models.NilIfEmpty(note)}).Error
	if err != nil {
		return fmt.Errorf("end release %d: %w", id, err)
	}
	return nil
}
