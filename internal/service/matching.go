package service

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/riverqueue/river"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/store"
	"rollcall/notifier"
)

// matchWorkers is how many jobs match changes at a time in one process. Two keep the second going while the first
// commits.
const matchWorkers = 2

// matching turns changes into events in a process until stopped.
type matching struct {
	store *store.Store
	// Every watcher, in memory.
	standing *notifier.Standing
	// Asks again for jobs that were lost.
	sweeper *notifier.SweepWorker
	cancel  context.CancelFunc
	working sync.WaitGroup
}

// newMatching adds the workers of matching. Their database connections are their own, so that a long
// ingest never makes an alert wait.
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
			Store: store, Keep: models.AlertRetention{Deliveries: days(a.DeliveryDays), Events: days(a.EventDays)}, Log: a.Log,
		}),
	)
	if err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare matching: %w", err)
	}
	return m, nil
}

// start keeps the watchers in memory current. jobs is where lost work is asked for again.
func (m *matching) start(ctx context.Context, jobs db.JobQueue) {
	m.store.UseJobs(jobs)
	m.sweeper.Jobs = jobs
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	m.cancel = cancel
	m.working.Go(func() { m.standing.Run(running) })
}

// stop is called after the last job has ended: jobs use its store.
func (m *matching) stop() {
	if m.cancel != nil {
		m.cancel()
		m.working.Wait()
	}
	m.store.Close()
}
