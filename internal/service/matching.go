package service

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/riverqueue/river"

	"rollcall/models/alert"
	"rollcall/models/db"
	"rollcall/models/store"
	"rollcall/notifier"
)

// matchWorkers is how many jobs match changes at a time in one process. With two the second works while the
// first commits.
const matchWorkers = 2

// matching turns changes into events in a process until stopped (docs/architecture.md, An alert).
type matching struct {
	store *store.Store
	// standing holds every watcher in memory and follows their revisions.
	standing *notifier.Standing
	// sweeper looks every minute for changes whose job was lost, and inserts a job for them.
	sweeper *notifier.SweepWorker
	cancel  context.CancelFunc
	working sync.WaitGroup
}

// newMatching adds the workers of matching. Their database connections are separate, so that a long ingest
// never delays an alert. They start to work with the client that works the queues.
func (a *App) newMatching(ctx context.Context, url string, workers *river.Workers) (*matching, error) {
	store, err := store.Open(ctx, url, store.Options{})
	if err != nil {
		return nil, err
	}
	m := &matching{store: store, standing: notifier.NewStanding(store, a.Log), sweeper: &notifier.SweepWorker{Store: store}}
	err = errors.Join(
		river.AddWorkerSafely(workers, &notifier.MatchWorker{Matcher: &notifier.Matcher{Store: store, Standing: m.standing}}),
		river.AddWorkerSafely(workers, m.sweeper),
		river.AddWorkerSafely(workers, &notifier.ExpireWorker{
			Store: store, Keep: alert.Retention{Deliveries: days(a.DeliveryDays), Events: days(a.EventDays)}, Log: a.Log,
		}),
	)
	if err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare matching: %w", err)
	}
	return m, nil
}

// start keeps the watchers in memory current. jobs is where the sweeper inserts jobs.
func (m *matching) start(ctx context.Context, jobs db.JobQueue) {
	m.store.UseJobs(jobs)
	m.sweeper.Jobs = jobs
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	m.cancel = cancel
	m.working.Go(func() { m.standing.Run(running) })
}

// stop closes the store of the matching jobs. It is called after the last of them has ended.
func (m *matching) stop() {
	if m.cancel != nil {
		m.cancel()
		m.working.Wait()
	}
	m.store.Close()
}
