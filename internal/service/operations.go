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
	"rollcall/ingest/schedule"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/web/operate"
)

// replayTime is how long a replay from a page may begin further runs. It ends before the write time-out of the
// server, so that the operator sees how many runs are left.
const replayTime = 40 * time.Second

// replayer reads raw documents again for the operators' page: one run, or with run 0 every run that has rows in
// quarantine.
func (a *App) replayer(store *store.Store) operate.Replayer {
	return func(ctx context.Context, id string, run int64) (*operate.Replayed, error) {
		of, _ := models.SplitScope(id)
		source, err := a.FindSource()(of)
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
		// A run that has begun is read to its end, even if the operator has left the page.
		return replayAll(context.WithoutCancel(ctx), runner, source, runs)
	}
}

// replayAll replays runs, oldest first, and sums up their reports. Left is the number of runs that it did not
// begin. A run that was not applied is named in Note and does not stop the others.
func replayAll(ctx context.Context, runner *ingest.Runner, src *ingest.Source, runs []int64) (*operate.Replayed, error) {
	out := &operate.Replayed{}
	begun := time.Now()
	for i, run := range runs {
		if time.Since(begun) > replayTime {
			out.Left = len(runs) - i
			break
		}
		report, err := runner.Replay(ctx, src, run)
		if err != nil {
			return nil, err
		}
		out.Runs++
		out.Resolved += report.Resolved
		out.New += report.New
		out.Changed += report.Changed
		out.Closed += report.Closed
		if report.State != source.RunOK && report.State != source.RunPartial {
			out.Note = fmt.Sprintf("Run %d was not applied: %s", run, report.Note)
		}
	}
	return out, nil
}

// rowText decrypts quarantined rows for the operators' page. Such a row may hold anything that a source sent,
// so the page records in the audit trail who looked at it.
func (a *App) rowText(store *store.Store) operate.RowText {
	return func(id string, sealed []byte) (string, error) {
		runner, err := a.Runner(store)
		if err != nil {
			return "", err
		}
		return runner.RowText(id, sealed)
	}
}

// jobControl changes jobs from any process. River notifies the process that works a job.
type jobControl struct{ client *river.Client[pgx.Tx] }

// newJobControl makes a client without workers: pages are served by processes that may work no jobs.
func (a *App) newJobControl(store *store.Store) (jobControl, error) {
	client, err := river.NewClient(riverpgxv5.New(store.Pool()), &river.Config{Logger: a.Log})
	if err != nil {
		return jobControl{}, fmt.Errorf("prepare job control: %w", err)
	}
	return jobControl{client}, nil
}

// RetryJob runs a failed job again as soon as a worker is free. An id that is gone is CodeNotFound.
func (c jobControl) RetryJob(ctx context.Context, id int64) error {
	_, err := c.client.JobRetry(ctx, id)
	return known("retry job", err)
}

// CancelJob ends a job, also one that runs in another process. A job that ended meanwhile is CodeConflict.
func (c jobControl) CancelJob(ctx context.Context, id int64) error {
	job, err := c.client.JobCancel(ctx, id)
	// River returns a job that ended meanwhile unchanged and without an error.
	if err == nil && (job.State == rivertype.JobStateCompleted || job.State == rivertype.JobStateDiscarded) {
		return &models.Error{Code: models.CodeConflict, Message: "this job ended before it could be cancelled"}
	}
	return known("cancel job", err)
}

// ReadSource reads a source as soon as a worker is free. At most one job waits for a source. It returns
// ingest.ErrBusy while the source is being read.
func (c jobControl) ReadSource(ctx context.Context, id string) error {
	job, err := c.client.Insert(ctx, schedule.Args{Source: id}, nil)
	if err != nil {
		return fmt.Errorf("read source %s: %w", id, err)
	}
	// A waiting job will read the source soon, which is what was asked for. A running job may have asked the
	// source before the change that the operator wants to see.
	if job.UniqueSkippedAsDuplicate && job.Job.State == rivertype.JobStateRunning {
		return ingest.ErrBusy
	}
	return nil
}

// known turns River's error about a missing job into one that users may see, and adds the action to others.
func known(action string, err error) error {
	if errors.Is(err, rivertype.ErrNotFound) {
		return models.NotFound("there is no such job any more")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}
