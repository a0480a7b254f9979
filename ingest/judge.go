package ingest

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"rollcall/models"
)

// judgeEvery is how often what is left to judge is looked for; judgeLimit bounds one look, and the next goes on.
const (
	judgeEvery = time.Hour
	judgeLimit = 10 * time.Minute
)

// JudgeArgs is the job that judges, once, what was published before a rule of withholding was there.
type JudgeArgs struct{}

// Kind names the job (river.JobArgs).
func (JudgeArgs) Kind() string { return "judge_published" }

// InsertOpts keeps one job at a time.
func (JudgeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: LinkQueue, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByPeriod: judgeEvery}}
}

// JudgeWorker judges for the job queue.
type JudgeWorker struct {
	river.WorkerDefaults[JudgeArgs]
	Store *models.Store
	Log   *slog.Logger
}

// Timeout bounds a run (river.Worker).
func (w *JudgeWorker) Timeout(*river.Job[JudgeArgs]) time.Duration { return judgeLimit }

// Work judges until nothing is left, or its time is over: what was judged is kept.
func (w *JudgeWorker) Work(ctx context.Context, _ *river.Job[JudgeArgs]) error {
	withheld := 0
	defer func() {
		if withheld > 0 {
			w.Log.InfoContext(ctx, "bookings withheld that may be of juveniles", "bookings", withheld)
		}
	}()
	for {
		n, done, err := w.Store.JudgePublished(ctx)
		if err != nil || done {
			return err
		}
		withheld += n
	}
}

// JudgeJobs are the periodic looks for what is left to judge, the first as the process starts.
func JudgeJobs() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(judgeEvery), func() (river.JobArgs, *river.InsertOpts) { return JudgeArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
	}
}
