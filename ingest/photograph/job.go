package photograph

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Queue is the queue of these jobs, so that they wait for nothing and nothing waits for them. Two of them run at a time: a pass
// waits for hosts, and taking photographs away must not.
const Queue = "photographs"

const (
	// passEvery is how often photographs are looked for.
	passEvery = 5 * time.Second
	// endEvery is how often is looked for what may not be kept: it is to be gone within a minute (docs/compliance.md).
	endEvery = 20 * time.Second
)

// Args is the job that makes one pass.
type Args struct{}

// Kind names the job (river.JobArgs).
func (Args) Kind() string { return "photographs" }

// InsertOpts keeps passes from running twice at once, on however many replicas.
func (Args) InsertOpts() river.InsertOpts { return once() }

// EndArgs is the job that takes away what may not be kept.
type EndArgs struct{}

// Kind names the job (river.JobArgs).
func (EndArgs) Kind() string { return "photograph_ends" }

// InsertOpts keeps it from running twice at once.
func (EndArgs) InsertOpts() river.InsertOpts { return once() }

// once lets one job of a kind wait or run.
func once() river.InsertOpts {
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

// EndWorker takes away what may not be kept, for the job queue.
type EndWorker struct {
	river.WorkerDefaults[EndArgs]
	Taker *Taker
}

// Timeout bounds the job. A source of a million photographs takes minutes to end.
func (*EndWorker) Timeout(*river.Job[EndArgs]) time.Duration { return 30 * time.Minute }

// Work takes photographs away.
func (w *EndWorker) Work(ctx context.Context, _ *river.Job[EndArgs]) error { return w.Taker.End(ctx) }

// Jobs returns the periodic jobs.
func Jobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(passEvery), func() (river.JobArgs, *river.InsertOpts) { return Args{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
		river.NewPeriodicJob(river.PeriodicInterval(endEvery), func() (river.JobArgs, *river.InsertOpts) { return EndArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
	}
}
