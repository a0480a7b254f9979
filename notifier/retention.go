package notifier

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"rollcall/models/alert"
	"rollcall/models/store"
)

// UpkeepQueue is the queue of work that nobody waits for.
const UpkeepQueue = "upkeep"

const (
	expireEvery = 6 * time.Hour
	expireLimit = time.Hour
)

// ExpireArgs is the job that deletes deliveries, events, changes and tombstones whose time is over (docs/operations.md).
type ExpireArgs struct{}

// Kind implements river.JobArgs.
func (ExpireArgs) Kind() string { return "expire_alerts" }

// InsertOpts permits one job at a time. What one leaves undone, the next one does.
func (ExpireArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: UpkeepQueue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: expireEvery}}
}

// ExpireWorker runs ExpireArgs for the job queue.
type ExpireWorker struct {
	river.WorkerDefaults[ExpireArgs]
	Store *store.Store
	// Keep is how long each kind of row stays.
	Keep alert.Retention
	Log  *slog.Logger
}

// Timeout implements river.Worker and bounds a run.
func (w *ExpireWorker) Timeout(*river.Job[ExpireArgs]) time.Duration { return expireLimit }

// Work deletes what is over. An error leaves the rest to the next run.
func (w *ExpireWorker) Work(ctx context.Context, _ *river.Job[ExpireArgs]) error {
	gone, err := w.Store.ExpireAlerts(ctx, w.Keep)
	if gone != (alert.Expired{}) {
		w.Log.InfoContext(ctx, "alerts expired", "deliveries", gone.Deliveries, "events", gone.Events, "changes", gone.Changes)
	}
	if err != nil {
		return err
	}
	if _, err := w.Store.ExpireBinRequests(ctx); err != nil {
		return err
	}
	n, err := w.Store.ForgetTombstones(ctx)
	if n > 0 {
		w.Log.InfoContext(ctx, "tombstones expired", "tombstones", n)
	}
	return err
}

// ExpireJobs returns the periodic job: at the start, and every six hours.
func ExpireJobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(expireEvery), func() (river.JobArgs, *river.InsertOpts) {
		return ExpireArgs{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})}
}
