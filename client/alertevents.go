package client

import (
	"context"
	"iter"
	"time"
)

// AlertEvent is an event of the account, as the subscription alertEvents has it.
type AlertEvent struct {
	// ID is that of webhooks, and where to resume.
	ID string `json:"id"`
	// Kind is BOOKING, RELEASE or BOND_CHANGE, as GraphQL spells it.
	Kind string `json:"event"`
	// At is when it was detected, UTC.
	At time.Time `json:"timestamp"`
	// Alert is the watcher.
	Alert struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"alert"`
	// Record names the booking, for Client.Booking.
	Record struct {
		ID string `json:"id"`
	} `json:"record"`
	// Facts are those of the booking when it happened.
	Facts struct {
		Name   string `json:"name"`
		County struct {
			Slug string `json:"slug"`
			Name string `json:"name"`
		} `json:"county"`
		BookedAt   time.Time  `json:"bookingDate"`
		ReleasedAt *time.Time `json:"releaseDate"`
		Charges    []string   `json:"charges"`
		Bond       *float64   `json:"bondAmount"`
	} `json:"facts"`
	// Hit says why the watcher matched.
	Hit struct {
		ID          string   `json:"id"`
		Probability float64  `json:"probability"`
		Reasons     []string `json:"reasons"`
	} `json:"hit"`
}

// alertEvents is the subscription behind AlertEvents.
const alertEvents = `subscription {
  alertEvents {
    id event timestamp
    alert { id name }
    record { id }
    facts { name county { slug name } bookingDate releaseDate charges bondAmount }
    hit { id probability reasons }
  }
}`

// AlertEvents yields the account's events as they are detected, from the one after an id on; empty: from now on. It
// resumes as Subscribe does.
func (c *Client) AlertEvents(ctx context.Context, after string) iter.Seq2[AlertEvent, error] {
	return func(yield func(AlertEvent, error) bool) {
		for m, err := range c.Subscribe(ctx, alertEvents, nil, after) {
			var said struct{ AlertEvents AlertEvent }
			if err == nil {
				err = m.Decode(&said)
			}
			if !yield(said.AlertEvents, err) || err != nil {
				return
			}
		}
	}
}
