package schedule

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"rollcall/ingest"
	"rollcall/ingest/linkage"
	"rollcall/models"
	"rollcall/models/source"
)

// ReleaseArgs is the job that applies a release which an operator decided a moment ago. The row of the release is what lasts:
// a job that is lost is inserted anew (Scheduler).
type ReleaseArgs struct {
	Release int64  `json:"release"`
	Source  string `json:"source"`
}

// Kind names the job (river.JobArgs).
func (ReleaseArgs) Kind() string { return "release" }

// InsertOpts keeps a release from being applied twice at once.
func (ReleaseArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
		},
	}}
}

// Releases are the operators' decisions that wait to be applied; *store.Store keeps them.
type Releases interface {
	DueReleases(ctx context.Context) ([]*source.Release, error)
	BeginRelease(ctx context.Context, id int64) (r *source.Release, again bool, err error)
	PutReleaseBack(ctx context.Context, id int64) error
	EndRelease(ctx context.Context, id int64, outcome source.ReleaseOutcome, note string) error
}

// ReleaseWorker applies releases for the job queue.
type ReleaseWorker struct {
	river.WorkerDefaults[ReleaseArgs]
	Releases Releases
	// Release ends a hold as an operator decided.
	Release func(ctx context.Context, id string, d ingest.Decision) (*ingest.Report, error)
	// Limit is how long a run of a source may take.
	Limit func(id string) time.Duration
	Now   func() time.Time
}

// Timeout returns the time that a run of the source may take, and as much again.
func (w *ReleaseWorker) Timeout(job *river.Job[ReleaseArgs]) time.Duration {
	id, _ := models.SplitScope(job.Args.Source)
	return 2 * w.Limit(id)
}

// Work applies a release, unless it was undone. How it went stands with the release, for the page of its source. Where the
// source is being read at the moment, the release waits for the next job. After a failure the hold stands.
func (w *ReleaseWorker) Work(ctx context.Context, job *river.Job[ReleaseArgs]) error {
	r, again, err := w.Releases.BeginRelease(ctx, job.Args.Release)
	if err != nil || r == nil {
		return err
	}
	report, err := w.Release(ctx, r.SourceID, ingest.Decision{Renumbered: r.Renumbered, HeldSince: &r.HeldSince})
	if ctx.Err() != nil {
		return ctx.Err() // it stays open: the next process goes on
	}
	if errors.Is(err, ingest.ErrBusy) {
		if again { // another process may be applying it
			return nil
		}
		return w.Releases.PutReleaseBack(ctx, r.ID)
	}
	outcome, note := source.ReleaseApplied, ""
	switch theirs, known := errors.AsType[*models.Error](err); {
	case known:
		outcome, note, err = source.ReleaseFailed, theirs.Message, nil
	case err != nil:
		outcome, note = source.ReleaseFailed, "internal error; the log says more"
	case report.State == source.RunFailed || report.State == source.RunHeld:
		outcome, note = source.ReleaseFailed, report.Note
	}
	if ended := w.Releases.EndRelease(ctx, r.ID, outcome, note); ended != nil || err != nil {
		return errors.Join(ended, err)
	}
	if report != nil && report.TouchesLinks() {
		return linkage.Ask(ctx, w.Now())
	}
	return nil
}

// release inserts a job for each release that is due. Every process tries; the queue takes one of each.
func (s *Scheduler) release(ctx context.Context) error {
	due, err := s.Releases.DueReleases(ctx)
	if err != nil {
		return err
	}
	for _, r := range due {
		if _, err := s.Client.Insert(ctx, ReleaseArgs{Release: r.ID, Source: r.SourceID}, nil); err != nil {
			return fmt.Errorf("ask for release %d: %w", r.ID, err)
		}
	}
	return nil
}
