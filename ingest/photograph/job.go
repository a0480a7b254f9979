package photograph

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Queue is the queue of passes, so that they wait for nothing and nothing waits for them.
const Queue = "photographs"

// passEvery is how often photographs are looked for.
const passEvery = 5 * time.Second

// Args is the job that makes one pass.
type Args struct{}

// Kind names the job (river.JobArgs).
func (Args) Kind() string { return "photographs" }

// InsertOpts keeps passes from running twice at once, on however many replicas.
func (Args) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
		},
	}}
}

// Worker makes passes for the job queue.
type Worker struct {
	river.WorkerDefaults[Args]
	Taker *Taker
}

// Timeout bounds a pass. A run of a million rows takes minutes to look at.
func (*Worker) Timeout(*river.Job[Args]) time.Duration { return 30 * time.Minute }

// Work makes one pass.
func (w *Worker) Work(ctx context.Context, _ *river.Job[Args]) error { return w.Taker.Pass(ctx) }

// Jobs returns the periodic job.
func Jobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(passEvery), func() (river.JobArgs, *river.InsertOpts) { return Args{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
	}
}
