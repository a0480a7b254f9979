// Package schedule runs sources by their schedules: a periodic job of River for each enabled source, unique across replicas. The
// package ingest reads a source once; operators and commands call it directly. Nothing here knows documents or tables.
package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"rollcall/ingest"
	"rollcall/ingest/linkage"
	"rollcall/models/source"
)

// Queue is the queue of these jobs, so that slow jails never keep other jobs waiting.
const Queue = "feeds"

// syncEvery is how soon a source that was enabled or disabled is noticed.
const syncEvery = 5 * time.Second

// Args is the job that runs one source once.
type Args struct {
	Source string `json:"source"`
}

// Kind names the job (river.JobArgs).
func (Args) Kind() string { return "feed" }

// InsertOpts keeps a source from running twice at once, on however many replicas. A run that
// fails is not repeated: the next one comes by the schedule.
func (Args) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
		},
	}}
}

// Worker runs sources for the job queue.
type Worker struct {
	river.WorkerDefaults[Args]
	Runner *ingest.Runner
	Find   func(id string) (*ingest.Source, error) // the document of a source
}

// Timeout returns the time that the limits of a run allow, and as much again for reading what came.
func (w *Worker) Timeout(job *river.Job[Args]) time.Duration {
	s, err := w.Find(job.Args.Source)
	if err != nil {
		return time.Minute
	}
	return 2 * s.Limits.Time
}

// Work runs a source once. What went wrong with the source stands in the run's report and in the
// source's state; only trouble of our own fails the job.
func (w *Worker) Work(ctx context.Context, job *river.Job[Args]) error {
	s, err := w.Find(job.Args.Source)
	if err != nil {
		return err
	}
	later, err := w.Runner.Deferred(ctx, s)
	if err != nil || later {
		return err
	}
	report, err := w.Runner.Run(ctx, s, ingest.Input{})
	if errors.Is(err, ingest.ErrBusy) { // an operator reads it by hand at this moment
		return nil
	}
	if err != nil {
		return fmt.Errorf("run source %s: %w", s.ID, err)
	}
	if report.State == source.RunFailed && ingest.Cancelled(ctx) {
		return context.Cause(ctx) // else River counts the job as done
	}
	if report.TouchesLinks() {
		return linkage.Ask(ctx, w.Runner.Now())
	}
	return nil
}

// Scheduler keeps the periodic jobs of the enabled sources, each at its own interval with jitter.
// Every process that works jobs runs one: River lets a single leader insert.
type Scheduler struct {
	Client  *river.Client[pgx.Tx]
	Find    func(id string) (*ingest.Source, error)
	Enabled func(ctx context.Context) ([]string, error) // ids of the sources whose schedule is on
	Mend    func(ctx context.Context) error             // ends the runs of processes that were killed
	// Releases are the operators' decisions that wait to be applied.
	Releases Releases
	Log      *slog.Logger

	jobs map[string]scheduled
}

// scheduled is a periodic job and the timing that it was made with.
type scheduled struct {
	handle rivertype.PeriodicJobHandle
	timing ingest.Timing
}

// Run follows which sources are enabled until ctx ends.
func (s *Scheduler) Run(ctx context.Context) {
	s.jobs = map[string]scheduled{}
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	for {
		if err := s.sync(ctx); err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "sources not scheduled", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Scheduler) sync(ctx context.Context) error {
	if err := s.Mend(ctx); err != nil {
		return err
	}
	if err := s.release(ctx); err != nil {
		return err
	}
	ids, err := s.Enabled(ctx)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
		s.schedule(ctx, id)
	}
	for id := range s.jobs {
		if !wanted[id] {
			s.remove(id)
		}
	}
	return nil
}

// schedule makes the job that the present document of an enabled source asks for. A source whose timing was changed is
// read at once, and at its new interval from then on.
func (s *Scheduler) schedule(ctx context.Context, id string) {
	job, known := s.jobs[id]
	src, err := s.Find(id)
	if err != nil {
		if !known { // else its runs say what is wrong with the document
			s.Log.WarnContext(ctx, "source has no document", "source", id, "error", err)
		}
		return
	}
	if known && job.timing == src.Schedule {
		return
	}
	if known {
		s.remove(id)
	}
	if src.Schedule.Every > 0 {
		s.jobs[id] = scheduled{handle: s.Client.PeriodicJobs().Add(periodic(src)), timing: src.Schedule}
	}
}

func (s *Scheduler) remove(id string) {
	s.Client.PeriodicJobs().Remove(s.jobs[id].handle)
	delete(s.jobs, id)
}

// periodic asks a source at its interval, up to its jitter later, and once when the schedule starts.
func periodic(s *ingest.Source) *river.PeriodicJob {
	return river.NewPeriodicJob(every(s.Schedule), func() (river.JobArgs, *river.InsertOpts) {
		return Args{Source: s.ID}, nil
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// every is a river.PeriodicSchedule.
type every ingest.Timing

// Next is the interval after t, and a little more so that sources of one host do not fall together.
func (e every) Next(t time.Time) time.Time {
	wait := e.Every
	if e.Jitter > 0 {
		wait += rand.N(e.Jitter)
	}
	return t.Add(wait)
}
