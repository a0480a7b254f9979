package client

import "time"

// Event is the body of a webhook, of either version and of every kind. Fields of other kinds are zero.
type Event struct {
	// Version is 2; 0 for version 1, which has no such member.
	Version int `json:"version,omitempty"`
	// ID is that of the event, the same as webhook-id. Verifier fills it for version 1 too.
	ID string `json:"id,omitempty"`
	// Kind is EventBooking and the like, or a notice.
	Kind string `json:"event"`
	// AlertID is the watcher; empty for notices about sources.
	AlertID string `json:"alert_id,omitempty"`
	// At is when rollcall detected it, UTC.
	At time.Time `json:"timestamp"`
	// Record is the booking when it happened. Of EventWithheld it has nothing but the id; of notices about sources nothing.
	Record EventRecord `json:"record"`
	// Match says why the watcher matched; nil in version 1, in tests and in notices.
	Match *Match `json:"match,omitempty"`
	// Retracts is the event that no longer holds; set if and only if Kind is EventRetraction.
	Retracts *Retracted `json:"retracts,omitempty"`
	// Alerts counts the watchers that a notice about a source concerns.
	Alerts int `json:"alerts,omitempty"`
	// Source is that of a notice about one.
	Source *EventSource `json:"source,omitempty"`
	// Test marks a test delivery, whose record is invented. It comes from a header that is not signed.
	Test bool `json:"-"`
}

// EventRecord is a booking at the time of an event.
type EventRecord struct {
	// ID is for Client.Booking.
	ID string `json:"id"`
	// Name is as the jail wrote it.
	Name string `json:"name"`
	// County is the display name.
	County string `json:"county"`
	// BookedAt is a time of Georgia.
	BookedAt time.Time `json:"booking_date"`
	// Charges may be empty.
	Charges []string `json:"charges"`
	// Bond is in US dollars; nil: none is set. Of EventBondChange it is the new one.
	Bond *float64 `json:"bond_amount"`
	// Status and ReleasedAt are of version 2.
	Status     string     `json:"status,omitempty"`
	ReleasedAt *time.Time `json:"release_date,omitempty"`
}

// Match says why a watcher matched.
type Match struct {
	// Probability is 0 to 1, by what was compared.
	Probability float64 `json:"probability"`
	// Level is that of the watcher.
	Level string `json:"level"`
	// Reasons are the grounds.
	Reasons []string `json:"reasons"`
}

// Retracted is an event that no longer holds.
type Retracted struct {
	// ID is its webhook-id.
	ID string `json:"id"`
	// Kind is its kind.
	Kind string `json:"event"`
	// At is when it was detected.
	At time.Time `json:"timestamp"`
}

// EventSource is a source that went stale or recovered.
type EventSource struct {
	// Title names it.
	Title string `json:"title"`
	// Counties are display names; empty: the whole state.
	Counties []string `json:"counties"`
	// LastSuccess is nil if it never had one.
	LastSuccess *time.Time `json:"last_success"`
}
