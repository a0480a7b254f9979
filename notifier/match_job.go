package notifier

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"rollcall/models/db"
	"rollcall/models/store"
)

const (
	matchLimit = 5 * time.Minute
	sweepEvery = time.Minute
	// sweepGrace is how long a job may take to come before it is held to be lost. A second job does no
	// harm: the rows show whether there is anything to do.
	sweepGrace = time.Minute
)

// MatchWorker runs MatchArgs for the job queue.
type MatchWorker struct {
	river.WorkerDefaults[MatchArgs]
	Matcher *Matcher
}

// Timeout implements river.Worker. What is open after it is matched by the next job.
func (w *MatchWorker) Timeout(*river.Job[MatchArgs]) time.Duration { return matchLimit }

// Work matches everything that is open.
func (w *MatchWorker) Work(ctx context.Context, _ *river.Job[MatchArgs]) error {
	_, err := w.Matcher.Drain(ctx)
	return err
}

// SweepArgs is the job that looks, every minute, for changes whose job was lost, and for sources that went
// stale or recovered.
type SweepArgs struct{}

// Kind implements river.JobArgs.
func (SweepArgs) Kind() string { return "sweep" }

// InsertOpts permits one waiting or running job. A job that fails is not repeated, since the next comes soon.
func (SweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: MatchQueue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}}
}

// SweepWorker runs SweepArgs for the job queue.
type SweepWorker struct {
	river.WorkerDefaults[SweepArgs]
	Store *store.Store
	// Jobs receives the job that makes up for a lost one.
	Jobs db.JobQueue
}

// Work notes late sources, asks again for matching that is overdue, and deletes answers of idempotent requests
// whose time is over. Each part is tried even if another fails.
func (w *SweepWorker) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	_, stale := w.Store.NoteSources(ctx)
	open, err := w.Store.HasOpenChanges(ctx, sweepGrace)
	if err == nil && open {
		err = w.Store.InTx(ctx, func(tx pgx.Tx) error { return w.Jobs.Match(ctx, tx) })
	}
	return errors.Join(stale, err, w.Store.SweepIdempotent(ctx))
}

// SweepJobs returns the periodic job: at the start, and every minute.
func SweepJobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(sweepEvery), func() (river.JobArgs, *river.InsertOpts) {
		return SweepArgs{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})}
}
