package notifier

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// MatchQueue is where matching waits, and behind nothing else.
const MatchQueue = "match"

// MatchArgs is the job that matches open changes against the watchers. It names none: a job takes all
// that are open, so one that is lost is made up for by the next.
type MatchArgs struct{}

// Kind names the job (river.JobArgs).
func (MatchArgs) Kind() string { return "match" }

// InsertOpts puts it into its queue, before what else waits there.
func (MatchArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: MatchQueue} }

// Queue is the job queue of alerts (db.JobQueue). Jobs commit together with the rows they speak of.
type Queue struct {
	Client *river.Client[pgx.Tx] // one that only inserts is enough
}

// Match asks for open changes to be matched.
func (q Queue) Match(ctx context.Context, tx pgx.Tx) error {
	if _, err := q.Client.InsertTx(ctx, tx, MatchArgs{}, nil); err != nil {
		return fmt.Errorf("ask for matching: %w", err)
	}
	return nil
}
