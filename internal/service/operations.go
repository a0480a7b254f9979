package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/web"
)

// replayTime is how long a page replays: the rest is left for the next time, before the answer's time is over.
const replayTime = 40 * time.Second

// replayer reads raw documents again for the operators' page.
func (a *App) replayer(store *store.Store) web.Replayer {
	return func(ctx context.Context, id string, run int64) (*web.Replayed, error) {
		of, _ := models.SplitScope(id)
		source, err := a.FindSource(nil)(of)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, models.NotFound("the source's document is not in the data directory")
		}
		if err != nil {
			return nil, err
		}
		runner, err := a.Runner(store)
		if err != nil {
			return nil, err
		}
		runs := []int64{run}
		if run == 0 {
			if runs, err = store.QuarantinedRuns(ctx, id); err != nil {
				return nil, err
			}
		}
		// A run that has begun is read to its end, also when the reader has left the page.
		return replayAll(context.WithoutCancel(ctx), runner, source, runs)
	}
}

// replayAll reads the documents of runs again, oldest first, and says how many are left when its time is over.
func replayAll(ctx context.Context, runner *ingest.Runner, source *ingest.Source, runs []int64) (*web.Replayed, error) {
	out := &web.Replayed{}
	begun := time.Now()
	for i, run := range runs {
		if time.Since(begun) > replayTime {
			out.Left = len(runs) - i
			break
		}
		report, err := runner.Replay(ctx, source, run)
		if err != nil {
			return nil, err
		}
		out.Runs++
		out.Resolved += report.Resolved
		out.New += report.New
		out.Changed += report.Changed
		out.Closed += report.Closed
		out.Quarantined += report.Quarantined
		if report.State != models.RunOK && report.State != models.RunPartial {
			out.Note = fmt.Sprintf("Run %d was not applied: %s", run, report.Note)
		}
	}
	return out, nil
}

// rowText opens quarantined rows for the operators' page.
func (a *App) rowText(store *store.Store) web.RowText {
	return func(id string, sealed []byte) (string, error) {
		runner, err := a.Runner(store)
		if err != nil {
			return "", err
		}
		return runner.RowText(id, sealed)
	}
}

// jobControl changes jobs from any process: River tells the one that works a job.
type jobControl struct{ client *river.Client[pgx.Tx] }

// newJobControl makes a client that works no jobs: pages run in processes that may work none.
func (a *App) newJobControl(store *store.Store) (jobControl, error) {
	client, err := river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{Logger: a.Log})
	if err != nil {
		return jobControl{}, fmt.Errorf("prepare job control: %w", err)
	}
	return jobControl{client}, nil
}

// RetryJob runs a job again as soon as a worker is free.
func (c jobControl) RetryJob(ctx context.Context, id int64) error {
	_, err := c.client.JobRetry(ctx, id)
	return known("retry job", err)
}

// CancelJob ends a job, also one that runs in another process.
func (c jobControl) CancelJob(ctx context.Context, id int64) error {
	job, err := c.client.JobCancel(ctx, id)
	// River leaves alone what ended meanwhile.
	if err == nil && (job.State == rivertype.JobStateCompleted || job.State == rivertype.JobStateDiscarded) {
		return &models.Error{Code: models.CodeConflict, Message: "this job ended before it could be cancelled"}
	}
	return known("cancel job", err)
}

// ReadSource reads a source as soon as a worker is free. One job for a source waits at most.
func (c jobControl) ReadSource(ctx context.Context, id string) error {
	job, err := c.client.Insert(ctx, ingest.FeedArgs{Source: id}, nil)
	if err != nil {
		return fmt.Errorf("read source %s: %w", id, err)
	}
	// One that waits reads it soon; one that runs may have asked the source before whatever is to be seen.
	if job.UniqueSkippedAsDuplicate && job.Job.State == rivertype.JobStateRunning {
		return ingest.ErrBusy
	}
	return nil
}

// known turns River's error about a missing job into one for users.
func known(action string, err error) error {
	if errors.Is(err, rivertype.ErrNotFound) {
		return models.NotFound("there is no such job any more")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}
