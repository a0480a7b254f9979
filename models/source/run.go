package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/joint"
)

// Run returns a run by its number, or CodeNotFound.
func (s *Store) Run(ctx context.Context, id int64) (*Run, error) {
	var r Run
	err := s.rows(ctx).Take(&r, "id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, models.NotFound(fmt.Sprintf("there is no run %d", id))
	}
	if err != nil {
		return nil, fmt.Errorf("read run %d: %w", id, err)
	}
	return &r, nil
}

// Runs returns the last runs of a source or scope, newest first. Replays are among them.
func (s *Store) Runs(ctx context.Context, sourceID string, limit int) (all []*Run, err error) {
	if err := s.rows(ctx).Where("source_id = ?", sourceID).Order("id desc").Limit(limit).Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list runs of %s: %w", sourceID, err)
	}
	return all, nil
}

// BeginRun records that a source is being read, and returns the number of the run. It notes the attempt, so
// that a source that hangs shows.
func (s *Store) BeginRun(ctx context.Context, sourceID string, now time.Time) (int64, error) {
	r := Run{SourceID: sourceID, State: RunRunning, Started: now}
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		if err := tx.Gorm().Model(&Row{}).Where("id = ?", sourceID).Update("last_attempt", now).Error; err != nil {
			return err
		}
		return begin(tx.Gorm(), &r)
	})
	if err != nil {
		return 0, fmt.Errorf("begin run of %s: %w", sourceID, err)
	}
	return r.ID, nil
}

// BeginReplay records that the documents of the run called of are read again. The source is not asked, so
// this is no attempt.
func (s *Store) BeginReplay(ctx context.Context, sourceID string, of int64, now time.Time) (int64, error) {
	r := Run{SourceID: sourceID, State: RunRunning, Started: now, ReplayOf: &of}
	if err := begin(s.rows(ctx), &r); err != nil {
		return 0, fmt.Errorf("begin replay of run %d: %w", of, err)
	}
	return r.ID, nil
}

// BeginPart records that a run of a source reads one of its scopes. of is the run of the scope that it reads
// again; 0 if it is no replay.
func (s *Store) BeginPart(ctx context.Context, scopeID string, run, of int64, now time.Time) (int64, error) {
	r := Run{SourceID: scopeID, State: RunRunning, Started: now, PartOf: &run}
	if of != 0 {
		r.ReplayOf = &of
	}
	if err := begin(s.rows(ctx), &r); err != nil {
		return 0, fmt.Errorf("begin run of %s: %w", scopeID, err)
	}
	return r.ID, nil
}

// Parts returns the runs of scopes that are parts of a run, by the id of the scope.
func (s *Store) Parts(ctx context.Context, run int64) (map[string]*Run, error) {
	var all []*Run
	if err := s.rows(ctx).Where("part_of = ?", run).Find(&all).Error; err != nil {
		return nil, fmt.Errorf("list parts of run %d: %w", run, err)
	}
	out := make(map[string]*Run, len(all))
	for _, r := range all {
		out[r.SourceID] = r
	}
	return out, nil
}

// begin inserts a run and sets its number.
func begin(q *gorm.DB, r *Run) error {
	return q.Select("SourceID", "State", "Started", "ReplayOf", "PartOf").Create(r).Error
}

// FinishRun records how a run ended, and what that means for its source (Row.After), in one
// transaction. The row of the source is locked, so an operator's hold meanwhile is not lost.
func (s *Store) FinishRun(ctx context.Context, runID int64, sourceID string, end RunEnd) error {
	end.Run = runID
	err := s.Joint(ctx, func(tx *joint.Tx) error {
		r := Run{ID: runID, State: end.State, Finished: &end.At, Report: end.Report, Note: models.NilIfEmpty(end.Note)}
		if err := tx.Gorm().Select("State", "Finished", "Report", "Note").Updates(&r).Error; err != nil {
			return err
		}
		return changeIn(tx.Gorm(), sourceID, func(_ *gorm.DB, src *Row) (err error) {
			if src.RetiredAt != nil { // else nothing depends on it
				err = tx.Pgx().QueryRow(ctx, statements.Get("same_documents"), pgx.StrictNamedArgs{"run": runID}).Scan(&end.Same)
			}
			src.After(end)
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("finish run %d: %w", runID, err)
	}
	return nil
}

// MostRows returns how many rows the largest complete snapshot of a source had within the 24 hours before at;
// nil if there was none. Snapshots before the held one that an operator released last do not count, as the
// release made that the measure. The guard against a list that shrinks in small steps asks for it.
func (s *Store) MostRows(ctx context.Context, sourceID string, at time.Time) (rows *int, err error) {
	err = db.Raw(s.rows(ctx), statements, "most_rows", pgx.StrictNamedArgs{"source": sourceID, "at": at}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count rows of a day of %s: %w", sourceID, err)
	}
	return rows, nil
}

// PastDocuments returns of how many files the snapshots of a source until at consisted. Where before is not
// zero, Previous counts only what was read before that time of our clock: what one reading finds may be part
// of a copy of files that is still going on.
func (s *Store) PastDocuments(ctx context.Context, sourceID string, at, before time.Time) (past PastDocuments, err error) {
	args := pgx.StrictNamedArgs{"source": sourceID, "at": at, "before": nil}
	if !before.IsZero() {
		args["before"] = before
	}
	err = db.Raw(s.rows(ctx), statements, "past_documents", args).Scan(&past).Error
	if err != nil {
		return past, fmt.Errorf("count files of snapshots of %s: %w", sourceID, err)
	}
	return past, nil
}

// WaitingRuns returns the runs of a source and its scopes that a standing hold kept from being applied and no
// replay has applied since, in the order of their instants: after a release they are read in that order. A
// source that lists everybody has none, because its next snapshot reports all of it.
func (s *Store) WaitingRuns(ctx context.Context, sourceID string) ([]int64, error) {
	ids, err := list[int64](ctx, s, "waiting_runs", pgx.StrictNamedArgs{"source": sourceID})
	if err != nil {
		return nil, fmt.Errorf("list waiting runs of %s: %w", sourceID, err)
	}
	return ids, nil
}
