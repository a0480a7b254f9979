package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// DeliveryState is where a delivery stands (SPEC.md, "Webhook delivery lifecycle").
type DeliveryState string

// The states. Pending has seen no attempt, Failed awaits its next one; the others are final until
// someone asks for a redelivery.
const (
	DeliveryPending   DeliveryState = "pending"
	DeliveryFailed    DeliveryState = "failed"
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryDropped   DeliveryState = "dropped"
)

// DropReason is why a delivery was dropped.
type DropReason string

// The reasons. What was dropped because its registration was disabled, or it or the watcher paused, can be
// replayed afterwards.
const (
	DropExhausted DropReason = "exhausted" // every attempt failed
	DropCancelled DropReason = "cancelled" // the watcher or registration was deleted
	DropDisabled  DropReason = "disabled"  // the registration was disabled
	DropPaused    DropReason = "paused"    // the registration or the watcher was paused
	DropDismissed DropReason = "dismissed" // the watcher's owner said that it is someone else
	DropSealed    DropReason = "sealed"    // the record must not be shown any more
)

// DeliveryMatch is why a watcher matched: what the headers of a delivery say.
type DeliveryMatch struct {
	Probability float64  `json:"probability"`
	Level       string   `json:"level"`
	Reasons     []string `json:"reasons"`
}

// Delivery is what goes to one registration: an event's frozen bytes, and how far it has come.
type Delivery struct {
	ID          string // dlv_...
	AccountID   string
	WebhookID   string
	EventID     *string // nil: a test delivery
	MessageID   string  // the webhook-id: the event's id, or that of a test
	WatcherID   *string
	Kind        string // booking, release, bond_change, or a notice
	Body        []byte // sent as it is on every attempt; empty while the record must not be shown
	Match       *DeliveryMatch
	State       DeliveryState
	Reason      *DropReason // set if and only if dropped
	Round       int         // 1, and one more for each redelivery
	Attempts    int         // made, over all rounds
	Failures    int         // of this round
	NextAttempt *time.Time  // nil in a final state
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Sealed      bool // it speaks of a record that must not be shown: it is not sent, and has no body here
}

// Test tells whether it is a test delivery.
func (d *Delivery) Test() bool { return d.EventID == nil }

// Attempt is one try to deliver: a row of the delivery's history.
type Attempt struct {
	ID        int64
	At        time.Time // when it started, UTC
	Status    *int      // nil: no answer
	LatencyMS int
	Class     string  // notifier.Class
	Answer    *string // first 1 KB of the answer
	Error     *string // one sentence; nil: delivered
}

const deliveryColumns = `d.id, d.account_id, d.webhook_id, d.event_id, d.message_id, d.watcher_id, d.kind, d.body, d.match, d.state, d.reason, d.round, d.attempts, d.failures, d.next_attempt, d.created_at, d.updated_at, ` + sealedDelivery

func scanDelivery(row pgx.CollectableRow) (*Delivery, error) {
	var d Delivery
	err := row.Scan(&d.ID, &d.AccountID, &d.WebhookID, &d.EventID, &d.MessageID, &d.WatcherID, &d.Kind, &d.Body, &d.Match, &d.State, &d.Reason, &d.Round, &d.Attempts, &d.Failures, &d.NextAttempt, &d.CreatedAt, &d.UpdatedAt, &d.Sealed)
	d.CreatedAt, d.UpdatedAt = d.CreatedAt.UTC(), d.UpdatedAt.UTC()
	if d.Sealed {
		d.Body, d.Match = nil, nil
	}
	return &d, err
}

// deliveryError passes on what users may see and wraps the rest.
func deliveryError(what string, err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return NotFound("there is no delivery with this id")
	case errors.As(err, &known):
		return known
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Delivery gives a delivery of the account.
func (s *Store) Delivery(ctx context.Context, accountID, id string) (*Delivery, error) {
	if err := plainText("id", id); err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, `select `+deliveryColumns+` from deliveries d where d.id = $1 and d.account_id = $2`, id, accountID)
	if err != nil {
		return nil, fmt.Errorf("read delivery: %w", err)
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDelivery)
	return d, deliveryError("read delivery", err)
}

// AttemptsOf gives the attempts of deliveries, oldest first, by the delivery's id. What was answered is left
// out where the record must not be shown any more: receivers echo what they get.
func (s *Store) AttemptsOf(ctx context.Context, deliveryIDs []string) (map[string][]*Attempt, error) {
	rows, err := s.pool.Query(ctx, `select a.delivery_id, a.id, a.at, a.status, a.latency_ms, a.class, case when not `+sealedDelivery+` then a.answer end, a.error
 from attempts a join deliveries d on d.id = a.delivery_id where a.delivery_id = any($1) order by a.delivery_id, a.id`, deliveryIDs)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	out := make(map[string][]*Attempt, len(deliveryIDs))
	var of string
	var a Attempt
	_, err = pgx.ForEachRow(rows, []any{&of, &a.ID, &a.At, &a.Status, &a.LatencyMS, &a.Class, &a.Answer, &a.Error}, func() error {
		row := a
		row.At = row.At.UTC()
		out[of] = append(out[of], &row)
		a = Attempt{}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return out, nil
}
