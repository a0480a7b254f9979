package resolve

import (
	"time"

	"rollcall/match"
	"rollcall/models"
)

// Event is something that watchers of a person may be notified of.
type Event struct {
	// Kind is one of those of records. A retraction takes back the last release.
	Kind models.EventKind
	// Corrected says that the name or the birth was corrected, so that nobody could recognise the person before.
	Corrected bool
	// Either says that the person was corrected in the same transaction, and something else happened: those who watch for the
	// person of before are notified of that as well.
	Either bool
	// OldBond is the bond before a change of bond, in cents; nil: there was none.
	OldBond *int64
	// IfNotified limits the event to bookings of which watchers were notified, or that were merged: an event that nobody received
	// is not taken back.
	IfNotified bool
}

// Baseline bounds what is news. Zero times bound nothing.
type Baseline struct {
	Since     time.Time // bookings and releases from before are no news: the source is new, or was silent for long
	Corrected time.Time // the same of releases of people who were corrected
}

// Events are the net difference of a known booking before and after a transaction, by the rules of DECISIONS.md, "Alerts". Those of
// new bookings are the statement new_changes: a first load makes a million of them.
func Events(before, after *BookingRecord, b Baseline) []Event {
	was, is := before.public(), after.public()
	switch {
	case was && is:
		return changeEvents(before, after, b)
	case is && after.Released == nil && !after.BookedAt.Before(b.Since):
		return []Event{{Kind: models.EventBooking}}
	case was:
		return []Event{{Kind: models.EventWithheld, IfNotified: true}}
	default:
		return nil
	}
}

// public reports whether the booking may be shown.
func (b *BookingRecord) public() bool { return b.Visibility.Withheld() == "" }

// changeEvents are those of a booking that was published and still is.
func changeEvents(before, after *BookingRecord, b Baseline) (out []Event) {
	corrected := match.SearchKey(before.Name) != match.SearchKey(after.Name) || !equal(DateText(before.DOB), DateText(after.DOB)) || before.Year != after.Year
	switch {
	case before.Released == nil && after.Released != nil:
		out = append(out, Event{Kind: models.EventRelease, Either: corrected})
	case before.Released != nil && after.Released == nil:
		out = append(out, Event{Kind: models.EventRetraction, IfNotified: true})
	}
	if !equal(centsText(before.Bond), centsText(after.Bond)) {
		out = append(out, Event{Kind: models.EventBondChange, OldBond: before.Bond, Either: corrected})
	}
	switch {
	case !corrected:
	case after.Released == nil && !after.BookedAt.Before(b.Since):
		out = append(out, Event{Kind: models.EventBooking, Corrected: true})
	case after.Released != nil && before.Released != nil && !after.Released.Before(b.Corrected):
		out = append(out, Event{Kind: models.EventRelease, Corrected: true})
	}
	return out
}
