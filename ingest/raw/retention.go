package raw

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"rollcall/ingest/linkage"
	"rollcall/models/store"
)

// Keep is how long raw documents and quarantined rows are kept unless the operator says otherwise.
const Keep = 30 * 24 * time.Hour

// expireEvery is how often what is over is looked for.
const expireEvery = time.Hour

// expireLimit bounds one look.
const expireLimit = 10 * time.Minute

// ExpireArgs is the job that deletes raw documents and quarantined rows whose time is over.
type ExpireArgs struct{}

// Kind names the job (river.JobArgs).
func (ExpireArgs) Kind() string { return "expire_raw" }

// InsertOpts keeps one job at a time; what one leaves undone the next one does.
func (ExpireArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: linkage.Queue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: expireEvery}}
}

// ExpireWorker deletes for the job queue.
type ExpireWorker struct {
	river.WorkerDefaults[ExpireArgs]
	Store *store.Store
	Log   *slog.Logger
	Now   func() time.Time
}

// Timeout bounds a run (river.Worker).
func (w *ExpireWorker) Timeout(*river.Job[ExpireArgs]) time.Duration { return expireLimit }

// Work deletes what is over.
func (w *ExpireWorker) Work(ctx context.Context, _ *river.Job[ExpireArgs]) error {
	documents, rows, err := w.Store.ExpireRaw(ctx, w.Now())
	if documents+rows > 0 {
		w.Log.InfoContext(ctx, "raw data expired", "documents", documents, "rows", rows)
	}
	return err
}

// ExpireJobs are the periodic looks for what is over.
func ExpireJobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(expireEvery), func() (river.JobArgs, *river.InsertOpts) { return ExpireArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
	}
}
