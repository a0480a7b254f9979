package raw

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"rollcall/ingest/linkage"
	"rollcall/models/source"
	"rollcall/models/store"
)

// Keep is how long raw documents and quarantined rows are kept unless the operator says otherwise.
const Keep = 30 * 24 * time.Hour

// expireEvery is how often what is over is looked for.
const expireEvery = time.Hour

// expireLimit bounds one look.
const expireLimit = 10 * time.Minute

// KeepBytes is how many bytes all raw documents may take, encrypted, unless the operator says otherwise.
const KeepBytes = 10 << 30

// ExpireArgs is the job that deletes raw documents and quarantined rows whose time is over, and the oldest documents when all
// of them take too much.
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
	// Most is how many bytes all raw documents may take, encrypted; 0 is no bound.
	Most int64
}

// Timeout bounds a run (river.Worker).
func (w *ExpireWorker) Timeout(*river.Job[ExpireArgs]) time.Duration { return expireLimit }

// Work deletes what is over, and then what is too much.
func (w *ExpireWorker) Work(ctx context.Context, _ *river.Job[ExpireArgs]) error {
	gone, err := w.Store.ExpireRaw(ctx, w.Now())
	w.report(ctx, gone, "their time is over")
	if err != nil || w.Most == 0 {
		return err
	}
	gone, err = w.Store.ShrinkArchive(ctx, w.Most)
	w.report(ctx, gone, "the archive was larger than it may be")
	return err
}

// report logs what was deleted, and warns of what an operator can not apply or read again any more.
func (w *ExpireWorker) report(ctx context.Context, gone source.Expired, why string) {
	if gone.Documents+gone.Rows > 0 {
		w.Log.InfoContext(ctx, "raw data deleted", "documents", gone.Documents, "rows", gone.Rows, "why", why)
	}
	if len(gone.Needed) > 0 {
		w.Log.WarnContext(ctx, "raw documents deleted that a held snapshot or rows in quarantine needed", "sources", gone.Needed, "why", why)
	}
}

// ExpireJobs are the periodic looks for what is over.
func ExpireJobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(expireEvery), func() (river.JobArgs, *river.InsertOpts) { return ExpireArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
	}
}
