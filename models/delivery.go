package models

import (
	"fmt"
	"strings"
	"time"
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
	DropWithheld  DropReason = "sealed"    // the record must not be shown any more
	DropPlan      DropReason = "plan"      // the account is suspended or no longer Enterprise
	DropBounced   DropReason = "bounced"   // the server of an e-mail address refused it for good
)

// DeliveryMatch is why a watcher matched: what the headers of a delivery say.
type DeliveryMatch struct {
	Probability float64  `json:"probability"`
	Level       string   `json:"level"`
	Reasons     []string `json:"reasons"`
}

// Delivery is what goes to one registration: an event's frozen bytes, and how far it has come. It is the GORM model of
// deliveries, read from the view deliveries_now.
type Delivery struct {
	ID          string         `gorm:"primaryKey"` // dlv_...
	AccountID   string         // whose registration it goes to
	WebhookID   string         // the registration
	Way         Way            // of the registration
	EventID     *string        // nil: a test delivery
	MessageID   string         // the webhook-id: the event's id, or that of a test
	WatcherID   *string        // nil: a test, or a notice about a source
	Kind        string         // booking, release, bond_change, or a notice
	Body        []byte         // sent as it is on every attempt; empty while the record must not be shown
	Match       *DeliveryMatch `gorm:"serializer:json"` // nil: nothing was compared, or the record must not be shown
	State       DeliveryState
	Reason      *DropReason // set if and only if dropped
	Round       int         // 1, and one more for each redelivery
	Attempts    int         // made, over all rounds
	Failures    int         // of this round
	NextAttempt *time.Time  `gorm:"serializer:utc"` // nil in a final state
	CreatedAt   time.Time   `gorm:"serializer:utc"`
	UpdatedAt   time.Time   `gorm:"serializer:utc"`
	Withheld    bool        `gorm:"->"` // it speaks of a record that must not be shown: it is not sent, and has no body here
}

// TableName is the view that reads of deliveries take. It shows each row with what decides whether it may be shown.
func (Delivery) TableName() string { return "deliveries_now" }

// Test reports whether it is a test delivery.
func (d *Delivery) Test() bool { return d.EventID == nil }

// Unconfirmed reports whether it was dropped before the owner of the e-mail address h confirmed it. An address counts as disabled
// until then.
func (d *Delivery) Unconfirmed(h *Webhook) bool {
	return d.Way == ByEmail && d.Reason != nil && *d.Reason == DropDisabled && (h.ConfirmedAt == nil || d.UpdatedAt.Before(*h.ConfirmedAt))
}

// Attempt is one try to deliver: a row of the delivery's history. It is the GORM model of attempts.
type Attempt struct {
	ID         int64     `gorm:"primaryKey"` // ascends with time
	DeliveryID string    // what was tried
	At         time.Time `gorm:"serializer:utc"` // when it started, UTC
	Status     *int      // of HTTP or SMTP; nil: no answer
	LatencyMS  int       `gorm:"column:latency_ms"`
	Class      string    // notifier.Class
	Answer     *string   // first 1 KB of the answer
	Error      *string   // one sentence; nil: delivered
}

// TableName is the table of attempts.
func (Attempt) TableName() string { return "attempts" }

// Replay says which deliveries of a registration to begin anew.
type Replay struct {
	WebhookID string
	From      *time.Time      // created at or after
	To        *time.Time      // created before
	States    []DeliveryState // delivered, dropped or both; empty: dropped. Others are CodeInvalidParameter
	DryRun    bool            // only count
}

// DeliveryBacklog is what there is still to deliver, over all accounts.
type DeliveryBacklog struct {
	Pending, Failed int
	Oldest          *time.Time // since when the longest waiting one is due; nil: none is
	Failing         int        // registrations whose last attempt failed
	Disabled        int
}

// DeliveryFilter narrows the list of deliveries; what is nil does not narrow.
type DeliveryFilter struct {
	WebhookID *string
	WatcherID *string
	State     *DeliveryState
	From      *time.Time // created at or after
	To        *time.Time // created before
}

// DeliveryPage is one page of deliveries. The total is counted only on request (CountDeliveries).
type DeliveryPage struct {
	Filter     DeliveryFilter // what it is a page of
	Deliveries []*Delivery
	PageInfo   PageInfo
}

// ParseDeliveryState reads a state in any letter case.
func ParseDeliveryState(s string) (DeliveryState, error) {
	switch st := DeliveryState(strings.ToLower(s)); st {
	case DeliveryPending, DeliveryFailed, DeliveryDelivered, DeliveryDropped:
		return st, nil
	}
	return "", Invalid("state", fmt.Sprintf("state %.20q is not one of pending, failed, delivered, dropped", s))
}

// DeliveryClaim is a delivery that a process took: nobody else attempts it until the lease ends.
type DeliveryClaim struct{ ID, WebhookID string }

// ClaimQuery says what to take.
type ClaimQuery struct {
	By     string        // names the process, in this run of it
	Way    Way           // which deliveries; empty: webhooks
	Lease  time.Duration // how long the claims hold unless they are renewed
	Except []string      // webhooks that get nothing now
	Most   int           // claims
	Each   int           // claims a webhook, so that the longest waiting one leaves room for others
}

// QueuedDelivery is a claimed delivery as it stands at this moment, with all that an attempt needs.
type QueuedDelivery struct {
	ID, AccountID, WebhookID       string
	MessageID                      string // webhook-id
	URL                            string
	Body                           []byte
	Match                          *DeliveryMatch `gorm:"serializer:json"`
	Test                           bool
	Secret, NextSecret             []byte // sealed; nil: none
	State                          DeliveryState
	Round, Failures                int
	Due                            time.Time
	CreatedAt                      time.Time
	FailingSince                   *time.Time // of the registration
	Kind                           EventKind
	Digest                         Digest           // of the registration
	Bounces                        int              // of the registration
	Bin                            *BinAnswer       // of the registration; nil: it is no request bin
	Watched                        string           // name of the watcher; empty: it has none
	Dob                            *Date            `gorm:"serializer:date"` // of the person, as stated when the change was detected; nil: not stated
	BirthYear                      *int             // nil: not stated, or the year of Dob
	BondCharges                    []*BookingCharge `gorm:"serializer:json"` // as those of EventFacts
	ReleaseInferred, ReleaseAbsent bool             // as those of EventFacts
	BeforeCents                    *int64           `gorm:"column:old_bond_cents"` // of a bond change, the bond before; nil: none was set
	Drop                           DropReason       // why it must not be attempted; empty: it may
}

// DeliveryResult is an attempt that was made, and where its delivery stands after it.
type DeliveryResult struct {
	ID       string // of the delivery
	Round    int    // of the delivery, when the attempt was made
	Attempt  Attempt
	State    DeliveryState
	Reason   DropReason // empty unless dropped
	Failures int
	Next     *time.Time // nil in a final state
}

// WebhookHealth is what a row of attempts says of a registration.
type WebhookHealth struct {
	ID           string
	Worked       bool       // an attempt was delivered
	FailingSince *time.Time // the first failure after the last success; nil: the last attempt was delivered
	Bounces      int        // mails refused for good in a row
	Disable      string     // why it is to be disabled; empty: it is not
}
