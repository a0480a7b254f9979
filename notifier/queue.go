package notifier

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"rollcall/models"
)

// The queues of the job queue: matching never waits behind sending.
const (
	MatchQueue   = "match"
	DeliverQueue = "deliver"
)

// MatchArgs is the job that matches open changes against the watchers. It names none: a job takes all
// that are open, so one that is lost is made up for by the next.
type MatchArgs struct{}

// Kind names the job (river.JobArgs).
func (MatchArgs) Kind() string { return "match" }

// InsertOpts puts it into its queue, before what else waits there.
func (MatchArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: MatchQueue} }

// DeliverArgs is the job that makes one attempt at a delivery. The delivery's own row tells whether one
// is due, so a job too many does nothing.
type DeliverArgs struct {
	Delivery string `json:"delivery"` // dlv_...
}

// Kind names the job (river.JobArgs).
func (DeliverArgs) Kind() string { return "deliver" }

// InsertOpts puts it into its queue.
func (DeliverArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: DeliverQueue} }

// Queue is the job queue of alerts (models.JobQueue). Jobs commit together with the rows they speak of.
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

// Deliver asks for attempts at deliveries, each at its time.
func (q Queue) Deliver(ctx context.Context, tx pgx.Tx, due []models.DueDelivery) error {
	if len(due) == 0 {
		return nil
	}
	params := make([]river.InsertManyParams, len(due))
	for i, d := range due {
		params[i] = river.InsertManyParams{Args: DeliverArgs{Delivery: d.ID}, InsertOpts: &river.InsertOpts{ScheduledAt: d.At}}
	}
	if _, err := q.Client.InsertManyFastTx(ctx, tx, params); err != nil {
		return fmt.Errorf("ask for deliveries: %w", err)
	}
	return nil
}
