package notifier

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// MatchQueue is the queue of matching, which waits behind no other work.
const MatchQueue = "match"

// MatchArgs is the job that matches open changes against the watchers. It names no changes: a job takes all
// that are open, so the next job makes up for one that is lost.
type MatchArgs struct{}

// Kind implements river.JobArgs.
func (MatchArgs) Kind() string { return "match" }

// InsertOpts puts the job into its own queue.
func (MatchArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: MatchQueue} }

// Queue is the job queue of alerts (db.JobQueue). A job commits together with the rows that it is about.
type Queue struct {
	// Client inserts jobs; one that only inserts is enough.
	Client *river.Client[pgx.Tx]
}

// Match asks, within tx, for open changes to be matched.
func (q Queue) Match(ctx context.Context, tx pgx.Tx) error {
	if _, err := q.Client.InsertTx(ctx, tx, MatchArgs{}, nil); err != nil {
		return fmt.Errorf("ask for matching: %w", err)
	}
	return nil
}
