package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"rollcall/ingest"
	"rollcall/ingest/linkage"
	"rollcall/ingest/photograph"
	"rollcall/ingest/raw"
	"rollcall/ingest/schedule"
	"rollcall/models/store"
	"rollcall/notifier"
)

const (
	// FeedWorkers is how many sources one process reads at a time. Reading waits for networks more than it
	// computes, but each run holds a database connection and its documents on disk.
	FeedWorkers = 4
	// rescueAfter is how long a job may run before River gives it to another worker too, in case its process
	// died. A source that is still being read is locked, so that it is not read twice.
	rescueAfter = time.Minute
	// fetchCooldown is how long River waits before it fetches jobs that were announced meanwhile. It is short,
	// because an alert passes two queues on its way.
	fetchCooldown = 10 * time.Millisecond
)

// Jobs works the queue in a process: sources on their schedules, links, matches, deliveries and retention.
type Jobs struct {
	store  *store.Store
	runner *ingest.Runner
	// Stop ends the work in the reverse order of its start and waits for it. It may be called once.
	Stop func()
}

// StartJobs starts working the queue and sending webhooks. Several processes may do so at once: River hands
// each job to one of them. url is that of the database. Jobs have a store of their own, so that they never take
// the connections of requests. The end of ctx does not stop them; the caller calls Stop. After an error
// everything that was started is stopped again.
func (a *App) StartJobs(ctx context.Context, url string, o JobOptions) (_ *Jobs, err error) {
	var end ending
	defer func() {
		if err != nil {
			end.run()
		}
	}()
	store, err := a.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	end.add(store.Close)
	runner, err := a.Runner(store)
	if err != nil {
		return nil, err
	}
	workers, find := river.NewWorkers(), a.FindSource()
	match, err := a.newMatching(ctx, url, workers)
	if err != nil {
		return nil, err
	}
	end.add(match.stop)
	taker, err := a.taker(store, runner, find)
	if err != nil {
		return nil, err
	}
	if err := river.AddWorkerSafely(workers, a.releaseWorker(store, find)); err != nil {
		return nil, fmt.Errorf("prepare releases: %w", err)
	}
	client, err := a.jobClient(store, workers, &schedule.Worker{Runner: runner, Find: find}, taker)
	if err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	deliver, err := a.StartDeliveries(ctx, url, o)
	if err != nil {
		return nil, err
	}
	end.add(deliver.Stop)
	match.start(ctx, notifier.Queue{Client: client})
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	end.add(cancel)
	if err := client.Start(running); err != nil {
		return nil, fmt.Errorf("start jobs: %w", err)
	}
	var scheduling sync.WaitGroup
	scheduling.Go(func() {
		(&schedule.Scheduler{Client: client, Find: find, Enabled: store.EnabledSources, Mend: runner.EndInterrupted, Releases: store, Log: a.Log}).Run(running)
	})
	end.add(func() {
		a.drainJobs(client)
		cancel()
		scheduling.Wait()
	})
	return &Jobs{store: store, runner: runner, Stop: end.run}, nil
}

// releaseWorker returns what applies the releases that operators decided.
func (a *App) releaseWorker(store *store.Store, find func(id string) (*ingest.Source, error)) *schedule.ReleaseWorker {
	return &schedule.ReleaseWorker{
		Releases: store, Now: store.Now,
		Release: func(ctx context.Context, id string, d ingest.Decision) (*ingest.Report, error) {
			return a.Release(ctx, store, id, "", d, nil)
		},
		Limit: func(id string) time.Duration {
			s, err := find(id)
			if err != nil {
				return time.Minute
			}
			return s.Limits.Time
		},
	}
}

// ending lists what has to be undone, the last first. It serves a start that failed in the middle as well as a
// normal stop.
type ending []func()

// add appends how to undo a step. It is called right after the step.
func (e *ending) add(undo func()) { *e = append(*e, undo) }

// run undoes all steps, the last first.
func (e *ending) run() {
	for _, undo := range slices.Backward(*e) {
		undo()
	}
}

// jobClient adds the workers of sources and links, and makes the client that works all queues. River's own time
// limit is off (-1): a first load takes longer than any limit that suits other jobs, and a run bounds itself.
func (a *App) jobClient(store *store.Store, workers *river.Workers, feeds *schedule.Worker, taker *photograph.Worker) (*river.Client[pgx.Tx], error) {
	err := errors.Join(
		river.AddWorkerSafely(workers, feeds),
		river.AddWorkerSafely(workers, taker),
		river.AddWorkerSafely(workers, &photograph.EndWorker{Taker: taker.Taker}),
		river.AddWorkerSafely(workers, &linkage.Worker{Linker: a.Linker(store)}),
		river.AddWorkerSafely(workers, &raw.ExpireWorker{Store: store, Log: a.Log, Now: time.Now, Most: int64(a.RawSize) << 20}),
	)
	if err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{
		Logger: a.Log, Workers: workers, RescueStuckJobsAfter: rescueAfter, JobTimeout: -1, FetchCooldown: fetchCooldown,
		PeriodicJobs: slices.Concat(linkage.Jobs(), photograph.Jobs(), raw.ExpireJobs(), notifier.SweepJobs(), notifier.ExpireJobs()),
		Queues: map[string]river.QueueConfig{
			schedule.Queue: {MaxWorkers: FeedWorkers}, linkage.Queue: {MaxWorkers: 1}, photograph.Queue: {MaxWorkers: 2},
			notifier.MatchQueue: {MaxWorkers: matchWorkers}, notifier.UpkeepQueue: {MaxWorkers: 1},
		},
	})
}

// drainJobs waits for running jobs. A job that has not ended within drainTimeout is cancelled and runs again in
// another process; its transaction is rolled back, so nothing is applied twice.
func (a *App) drainJobs(client *river.Client[pgx.Tx]) {
	ctx, done := context.WithTimeout(context.Background(), drainTimeout)
	defer done()
	if err := client.Stop(ctx); err != nil {
		a.Log.WarnContext(ctx, "jobs cut off", "error", errors.Join(err, client.StopAndCancel(context.WithoutCancel(ctx))))
	}
}

// days returns n days of 24 hours. Retention needs no calendar days.
func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// Runner returns what takes sources through the pipeline. It is cheap to make and safe for concurrent use: runs
// of one source exclude each other by a lock in the database.
func (a *App) Runner(store *store.Store) (*ingest.Runner, error) {
	secrets, err := a.SecretKeys()
	if err != nil {
		return nil, err
	}
	seal, err := raw.NewSeal(secrets...)
	if err != nil {
		return nil, err
	}
	return &ingest.Runner{
		Store: store, Seal: seal, Dir: filepath.Join(a.DataDir, "runs"), Log: a.Log, Now: store.Now,
		Keys: a.Keys, Keep: days(a.RawDays), BaselineWindow: a.BaselineWindow,
	}, nil
}

// Linker returns what links bookings, court cases and corrections records.
func (a *App) Linker(store *store.Store) *linkage.Linker {
	return &linkage.Linker{Store: store, Log: a.Log, Now: store.Now}
}

// FindSource returns a function that finds the document of a source by its id. It looks in the
// data directory (sources/ID.yaml), and then among the shipped ones. An operator's document replaces the shipped one of the same id. The document is read anew at every call, so a
// correction counts from the next run on. The function returns fs.ErrNotExist for an unknown id.
func (a *App) FindSource() func(id string) (*ingest.Source, error) {
	return func(id string) (*ingest.Source, error) {
		// Base keeps an id such as ../../x inside the directory.
		own := filepath.Join(a.DataDir, "sources", filepath.Base(id)+".yaml")
		s, err := ingest.Load(own)
		if errors.Is(err, fs.ErrNotExist) {
			return ingest.Load(id)
		}
		return s, err
	}
}
