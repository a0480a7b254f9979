package linkage

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"rollcall/models"
)

// Queue is the queue of link runs, worked by one worker.
const Queue = "links"

const (
	// askDelay gathers the changes of several feeds into one run.
	askDelay = 20 * time.Second
	// every finds what no job of a source asked for: an import, a source read by hand. A run that finds
	// nothing costs a few look-ups.
	every     = 5 * time.Minute
	limit     = 30 * time.Minute // of one run, far above what a look at everything takes
	nightHour = 3                // Georgia's time of the nightly look at everything
)

// Args is the job that links bookings, corrections records and court cases.
type Args struct {
	Full bool `json:"full"` // everything, not only what changed
}

// Kind names the job (river.JobArgs).
func (Args) Kind() string { return "link" }

// InsertOpts keeps one job waiting or running. One that fails is not repeated: the next comes soon, and
// looks at everything.
func (Args) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
		},
	}}
}

// Worker runs the linker for the job queue.
type Worker struct {
	river.WorkerDefaults[Args]
	Linker *Linker // what the job runs
}

// Timeout bounds a run (river.Worker).
func (w *Worker) Timeout(*river.Job[Args]) time.Duration { return limit }

// Work links once. Chunks commit one by one and the progress only at the end, so after a failure the next run looks at the
// same again.
func (w *Worker) Work(ctx context.Context, job *river.Job[Args]) error {
	_, err := w.Linker.Run(ctx, job.Args.Full)
	return err
}

// Jobs are the periodic link runs: of what changed every few minutes, of everything every night.
func Jobs() []*river.PeriodicJob {
	args := func(full bool) river.PeriodicJobConstructor {
		return func() (river.JobArgs, *river.InsertOpts) { return Args{Full: full}, nil }
	}
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(every), args(false), &river.PeriodicJobOpts{RunOnStart: true}),
		river.NewPeriodicJob(nightly{}, args(true), nil),
	}
}

// nightly is a river.PeriodicSchedule. A fixed period would drift with each start and with summer time.
type nightly struct{}

// Next is the next nightHour after t.
func (nightly) Next(t time.Time) time.Time {
	local := t.In(models.Georgia)
	next := time.Date(local.Year(), local.Month(), local.Day(), nightHour, 0, 0, 0, models.Georgia)
	if !next.After(t) {
		next = time.Date(local.Year(), local.Month(), local.Day()+1, nightHour, 0, 0, 0, models.Georgia)
	}
	return next
}

// Ask puts a link run into the queue of the client that works this job, if one does.
func Ask(ctx context.Context, now time.Time) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return nil //nolint:nilerr // worked by hand, as in tests: the periodic job will notice
	}
	if _, err := client.Insert(ctx, Args{}, &river.InsertOpts{ScheduledAt: now.Add(askDelay)}); err != nil {
		return fmt.Errorf("ask for links: %w", err)
	}
	return nil
}
