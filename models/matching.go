package models

import "time"

// ChangeBatch is one transaction that changed something worth an event. It is the GORM model of change_batches.
type ChangeBatch struct {
	ID         int64     `gorm:"primaryKey"`
	SourceID   string    // whose run it was
	RunID      *int64    // nil: no run, or its row is gone
	DetectedAt time.Time `gorm:"serializer:utc"`
	WatcherRev int64     // watchers up to this revision were there when it committed
}

// TableName is the table of batches.
func (ChangeBatch) TableName() string { return "change_batches" }

// ChangeRow is what the outbox says of a change, without the facts that Change and EventFacts read. It is the GORM model of
// changes.
type ChangeRow struct {
	ID         int64      `gorm:"primaryKey"`
	BatchID    int64      // of ChangeBatch
	Kind       EventKind  // what happened
	DetectedAt time.Time  `gorm:"serializer:utc"`
	MatchedAt  *time.Time `gorm:"serializer:utc"` // nil: its events are still to be made
	Retracts   *int64     // the change that is taken back
	SourceID   string     // which source reported it
	RID        *int64     `gorm:"column:rid"` // nil: of a source
}

// TableName is the outbox.
func (ChangeRow) TableName() string { return "changes" }

// Change is something that happened to a record, with the record's facts at that moment; or to a
// source, then without a record.
type Change struct {
	ID         int64
	Kind       EventKind
	DetectedAt time.Time // UTC
	SourceID   string
	WatcherRev int64 // watchers up to this revision were there when it committed

	RID        *int64 // nil: of a source
	RecordID   string
	County     *County
	Name       string
	Dob        *Date
	BirthYear  *int
	BookedAt   time.Time
	ReleasedAt *time.Time
	Charges    []string
	BondCents  *int64

	Old      *OldIdentity // set when the change corrects whom the record is about
	Either   bool         // something happened besides: who watches for the old identity is notified as well
	Retracts *int64       // the change that is taken back
	Withheld bool         // the record must not be shown any more: watchers receive that and nothing else of it
}

// TakesBack reports whether the change concerns those who were notified before, and nobody else: it retracts an event, or
// says that the record must not be shown any more.
func (c *Change) TakesBack() bool {
	return c.Kind == EventRetraction && !c.Withheld || c.Kind == EventWithheld
}

// OldIdentity is whom a record was about before it was corrected.
type OldIdentity struct {
	Name      string
	Dob       *Date
	BirthYear *int
}

// Notified is a watcher that was notified of a record, and by which event.
type Notified struct {
	ChangeID    int64 // of the change that is being matched
	WatcherID   string
	EventID     string
	HitID       string
	Kind        EventKind
	At          time.Time
	Probability float64
	Reasons     []string
	Events      []string // all that it speaks of, EventID among them
}

// StaleAccount is an account with watchers that a source feeds, and an endpoint that asks for
// notices about sources.
type StaleAccount struct {
	AccountID   string
	Watchers    int // that the source feeds
	Source      string
	Counties    []string // display names, empty for a source that names none
	LastSuccess *time.Time
}

// Heard is which endpoints were sent some events, by event and endpoint: nil where they received the event, may have, or
// will; else why they did not.
type Heard map[string]map[string]*DropReason

// Undeliverable returns why nothing is sent to an endpoint; nil if events are sent.
func (h *Webhook) Undeliverable() *DropReason {
	switch {
	case h.Status == WebhookDisabled:
		return new(DropDisabled)
	case h.Paused:
		return new(DropPaused)
	}
	return nil
}
