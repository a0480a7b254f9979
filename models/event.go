package models

import "time"

// EventKind is what happened to a record or a source.
type EventKind string

// The kinds of SPEC.md, "Events". Those after EventBondChange are notices: only registrations that ask get them.
const (
	EventBooking         EventKind = "booking"
	EventRelease         EventKind = "release"
	EventBondChange      EventKind = "bond_change"
	EventRetraction      EventKind = "retraction" // an event is taken back, such as a release that a later snapshot disproved
	EventWithheld        EventKind = "sealed"     // a record that was sent must not be shown any more
	EventSourceStale     EventKind = "source_stale"
	EventSourceRecovered EventKind = "source_recovered"
)

// EventKinds returns the kinds that a watcher or a registration subscribes to, in the order of the contract.
func EventKinds() []EventKind { return []EventKind{EventBooking, EventRelease, EventBondChange} }

// AlertEvent is one change of one record, seen by one watcher: made once, with one id. A notice about a
// source has no watcher, no record and no hit. It is the GORM model of events; the view published_events has those of
// published bookings.
type AlertEvent struct {
	ID        string    `gorm:"primaryKey"` // evt_...
	Seq       int64     // ascends in the order of commits
	AccountID string    // whose watchers were notified
	Kind      EventKind // what happened
	WatcherID *string   // which watcher matched
	RID       *int64    `gorm:"column:rid"` // of the booking
	HitID     *string   // why the watcher matched
	At        time.Time `gorm:"serializer:utc"` // when the change was detected, UTC
}

// TableName is the table of events, notices included.
func (AlertEvent) TableName() string { return "events" }

// BeforeEvents is the place before an account's first event, for EventSeq.
const BeforeEvents = "start"

// AlertNotice is an event that no person caused: an earlier event is taken back, or a source is
// not seen. What it is not about is nil.
type AlertNotice struct {
	AlertEvent
	RecordID *string // of a booking; that of a withheld one, which cannot be read any more, too
	Retracts *string // the event that is taken back
	SourceID *string // of a notice about a source
}

// EventFacts are what a booking was at the moment of an event, frozen with the change that made it. They are read by GORM
// from changes.
type EventFacts struct {
	RecordID        string           // public id of the booking
	Name            string           // as the source wrote it
	Dob             *Date            `gorm:"serializer:date"` // nil: not stated
	BirthYear       *int             // nil: not stated, or the year of Dob
	County          *County          `gorm:"column:county_id;serializer:county"`
	BookingDate     time.Time        `gorm:"column:booked_at;serializer:georgia"`   // in Georgia
	ReleaseDate     *time.Time       `gorm:"column:released_at;serializer:georgia"` // in Georgia; nil while booked
	ReleaseInferred bool             // ReleaseDate comes from absence or from a release without a time
	ReleaseAbsent   bool             // it comes from absence
	Charges         []string         `gorm:"serializer:list"` // as the source wrote them
	BondCents       *int64           // US cents; nil: none set. Of a bond change, the new one
	BondCharges     []*BookingCharge `gorm:"serializer:json"`       // what charges say of a bond without an amount, as of now
	BeforeCents     *int64           `gorm:"column:old_bond_cents"` // of a bond change, what it was before; nil: none was set
}

// Status follows the release, as a booking's does.
func (f *EventFacts) Status() RosterStatus {
	if f.ReleaseDate != nil {
		return Released
	}
	return Booked
}

// BondAmount is the bond in US dollars; nil: none set.
func (f *EventFacts) BondAmount() *float64 { return usd(f.BondCents) }

// Bond is the bond, or why it has no amount.
func (f *EventFacts) Bond() Bond { return BondOf(f.BondCents, f.BondCharges) }

// BondBefore is the bond before a bond change in US dollars; nil: none was set.
func (f *EventFacts) BondBefore() *float64 { return usd(f.BeforeCents) }
