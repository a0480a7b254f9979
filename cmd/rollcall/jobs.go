package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/notifier"
)

const (
	feedWorkers = 4 // sources read at a time by one process
	rescueAfter = time.Minute
	// fetchCooldown is how soon after another a job is taken that was announced meanwhile: an alert
	// passes two queues.
	fetchCooldown = 10 * time.Millisecond
)

// jobs is what works the queue in a process: feeds, on their schedules, the links that follow, and webhooks.
type jobs struct {
	store  *models.Store
	runner *ingest.Runner
	stop   func()
}

// startJobs works the queue and sends webhooks until the jobs are stopped.
func (a *App) startJobs(ctx context.Context, url string, o jobOptions) (*jobs, error) {
	store, err := a.open(ctx, url)
	if err != nil {
		return nil, err
	}
	runner, err := a.runner(store)
	if err != nil {
		store.Close()
		return nil, err
	}
	find := a.findSource(o.sources)
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &ingest.FeedWorker{Runner: runner, Find: find}); err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	if err := river.AddWorkerSafely(workers, &ingest.LinkWorker{Linker: a.linker(store)}); err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	if err := river.AddWorkerSafely(workers, &ingest.ExpireWorker{Store: store, Log: a.Log, Now: time.Now}); err != nil {
		store.Close()
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	match, err := a.newMatching(ctx, url, workers)
	if err != nil {
		store.Close()
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{
		Logger: a.Log, Workers: workers, RescueStuckJobsAfter: rescueAfter, JobTimeout: -1, PeriodicJobs: slices.Concat(ingest.LinkJobs(), ingest.ExpireJobs(), notifier.SweepJobs()),
		FetchCooldown: fetchCooldown,
		Queues: map[string]river.QueueConfig{
			ingest.FeedQueue: {MaxWorkers: feedWorkers}, ingest.LinkQueue: {MaxWorkers: 1}, notifier.MatchQueue: {MaxWorkers: matchWorkers},
		},
	})
	if err != nil {
		match.stop()
		store.Close()
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	deliver, err := a.startDeliveries(ctx, url, o)
	if err != nil {
		match.stop()
		store.Close()
		return nil, err
	}
	match.start(ctx, notifier.Queue{Client: client})
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if err := client.Start(running); err != nil {
		cancel()
		deliver.stop()
		match.stop()
		store.Close()
		return nil, fmt.Errorf("start jobs: %w", err)
	}
	scheduled := make(chan struct{})
	go func() {
		defer close(scheduled)
		(&ingest.Scheduler{Client: client, Find: find, Enabled: store.EnabledSources, Mend: runner.EndInterrupted, Log: a.Log}).Run(running)
	}()
	return &jobs{store: store, runner: runner, stop: func() {
		ctx, done := context.WithTimeout(context.Background(), drainTimeout)
		defer done()
		if err := client.Stop(ctx); err != nil { // what has not ended by then is cut off and runs again
			a.Log.WarnContext(ctx, "jobs cut off", "error", errors.Join(err, client.StopAndCancel(context.WithoutCancel(ctx))))
		}
		cancel()
		<-scheduled
		match.stop()
		deliver.stop()
		store.Close()
	}}, nil
}

// runner takes sources through the pipeline.
func (a *App) runner(store *models.Store) (*ingest.Runner, error) {
	secret, err := a.secret()
	if err != nil {
		return nil, err
	}
	seal, err := ingest.NewSeal(secret)
	if err != nil {
		return nil, err
	}
	return &ingest.Runner{Store: store, Seal: seal, Log: a.Log, Now: time.Now, Keys: a.Keys, Keep: time.Duration(a.RawDays) * 24 * time.Hour, BaselineWindow: a.BaselineWindow}, nil
}

// linker keeps bookings and corrections records linked.
func (a *App) linker(store *models.Store) *ingest.Linker {
	return &ingest.Linker{Store: store, Log: a.Log, Now: time.Now}
}

// findSource finds the document of a source: one of extra, the operator's own in the data
// directory (sources/ID.yaml), or a shipped one.
func (a *App) findSource(extra map[string]*ingest.Source) func(id string) (*ingest.Source, error) {
	return func(id string) (*ingest.Source, error) {
		if s := extra[id]; s != nil {
			return s, nil
		}
		own := filepath.Join(a.DataDir, "sources", filepath.Base(id)+".yaml")
		s, err := ingest.Load(own)
		if errors.Is(err, fs.ErrNotExist) {
			return ingest.Load(id)
		}
		return s, err
	}
}
