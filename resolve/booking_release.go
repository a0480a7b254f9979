package resolve

import (
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// saysRelease reports whether a row says something of the release. Where a source reports only changes, a blank says nothing
// (DECISIONS.md, "Holding"): the jail takes a release back by saying that it holds the person.
func saysRelease(row *snapshot.RosterRow) bool {
	return !row.Changes || row.Held || row.ReleasedAt != nil || row.PlannedRelease != nil
}

// tellRelease takes what a row says of the release. One that repeats it without its time adds nothing.
func (f *BookingFacts) tellRelease(row *snapshot.RosterRow) {
	f.Planned, f.Again = instant(row.PlannedRelease), instant(row.ReleasedAgain)
	if row.ReleaseInferred && f.Released != nil {
		return
	}
	f.Released, f.Untimed = instant(row.ReleasedAt), row.ReleaseInferred
}

// readRelease reads a release that named only a key by what is known of its booking. A day
// alone, if it is the day of the booking, is not before the booking. In the night in which an hour happens twice, only
// its second time may lie after the booking; while that is to come, the release is planned.
func (f *BookingFacts) readRelease(seen time.Time) {
	if !f.Known() || f.Released == nil || !f.Released.Before(f.BookedAt) {
		return
	}
	switch {
	case models.DayAlone(*f.Released) && sameDay(*f.Released, f.BookedAt):
		at := f.BookedAt
		f.Released = &at
	case f.Again != nil && !f.Again.Before(f.BookedAt) && !f.Again.After(seen):
		f.Released, f.Again = f.Again, nil
	case f.Again != nil && !f.Again.Before(f.BookedAt):
		f.Planned, f.Released, f.Again = f.Again, nil, nil
	}
}

// endsEarly reports whether the release lies before the booking: it is of an earlier stay under the key, or an error.
func (f *BookingFacts) endsEarly() bool {
	return f.Known() && f.Released != nil && f.Released.Before(f.BookedAt)
}

// dropEarlier drops a release that lies before the booking.
func (f *BookingFacts) dropEarlier() {
	if f.endsEarly() {
		f.Released, f.Again, f.Untimed = nil, nil, false
	}
}

// ofEarlierStay reports whether a row whose booking is not taken speaks of an earlier stay under the key: its release lies
// before the booking that is known, or it names a booking of another day.
func (f *BookingFacts) ofEarlierStay(row *snapshot.RosterRow, at time.Time) bool {
	if !row.KeyOnly && f.ofAnotherDay(row) {
		return true
	}
	told := *f
	told.tellRelease(row)
	told.readRelease(at)
	return told.endsEarly()
}

// ofAnotherDay reports whether a row names a booking of another day than the known one. The day before and the day after may
// be a correction.
func (f *BookingFacts) ofAnotherDay(row *snapshot.RosterRow) bool {
	return f.Known() && daysApart(row.BookedAt, f.BookedAt) > 1
}
