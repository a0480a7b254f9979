package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// JobQueue puts work into the job queue within a transaction, so that rows and jobs commit together.
// It is set with UseJobs; without one nothing is lost, but waits until a look at what is due finds it.
// Deliveries need no job: their rows are the queue (docs/decisions/0005-delivery-queue.md).
type JobQueue interface {
	// Match asks for the changes of this transaction to be matched against the watchers.
	Match(ctx context.Context, tx pgx.Tx) error
}

// UseJobs sets the job queue. It is called once, before the store is used by several.
func (d *DB) UseJobs(q JobQueue) { d.jobs = q }

// AskMatch asks the job queue, where there is one, for the changes of tx to be matched.
func (d *DB) AskMatch(ctx context.Context, tx pgx.Tx) error {
	if d.jobs == nil {
		return nil
	}
	return d.jobs.Match(ctx, tx)
}
