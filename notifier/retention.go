package notifier

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"rollcall/models"
	"rollcall/models/store"
)

// UpkeepQueue is where work waits that nobody is waiting for.
const UpkeepQueue = "upkeep"

const (
	expireEvery = 6 * time.Hour
	expireLimit = time.Hour
)

// ExpireArgs is the job that deletes deliveries, events and changes whose time is over.
type ExpireArgs struct{}

// Kind names the job (river.JobArgs).
func (ExpireArgs) Kind() string { return "expire_alerts" }

// InsertOpts keeps one job at a time; what one leaves undone the next one does.
func (ExpireArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: UpkeepQueue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: expireEvery}}
}

// ExpireWorker deletes for the job queue.
type ExpireWorker struct {
	river.WorkerDefaults[ExpireArgs]
	Store *store.Store
	Keep  models.AlertRetention
	Log   *slog.Logger
}

// Timeout bounds a run (river.Worker).
func (w *ExpireWorker) Timeout(*river.Job[ExpireArgs]) time.Duration { return expireLimit }

// Work deletes what is over.
func (w *ExpireWorker) Work(ctx context.Context, _ *river.Job[ExpireArgs]) error {
	gone, err := w.Store.ExpireAlerts(ctx, w.Keep)
	if gone != (models.ExpiredAlerts{}) {
		w.Log.InfoContext(ctx, "alerts expired", "deliveries", gone.Deliveries, "events", gone.Events, "changes", gone.Changes)
	}
	return err
}

// ExpireJobs are the periodic looks for what is over.
func ExpireJobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(expireEvery), func() (river.JobArgs, *river.InsertOpts) {
		return ExpireArgs{}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})}
}
