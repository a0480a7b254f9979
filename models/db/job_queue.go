package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// JobQueue inserts work into the job queue within a transaction, so that rows and jobs commit
// together. It is set by UseJobs. Without one no work is lost, but it waits until a sweep for what
// is due finds it. Deliveries need no job: their rows are the queue
// (docs/decisions/0005-delivery-queue.md).
type JobQueue interface {
	// Match inserts the job that matches the changes of this transaction against the watchers.
	Match(ctx context.Context, tx pgx.Tx) error
}

// UseJobs sets the job queue. It is called once, before anything else uses the store concurrently.
func (d *DB) UseJobs(q JobQueue) { d.jobs = q }

// AskMatch inserts a match job for the changes of tx, if there is a job queue. Every transaction
// that writes changes calls it.
func (d *DB) AskMatch(ctx context.Context, tx pgx.Tx) error {
	if d.jobs == nil {
		return nil
	}
	return d.jobs.Match(ctx, tx)
}
