package resolve

import (
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
)

// BookingInput is what a booking is resolved from.
type BookingInput struct {
	Claims    []*BookingClaim // all of the record
	Decisions []Decision      // those in force about it
	Causes    []Cause         // other records on whose account it may have to be withheld
	Before    *BookingRecord  // as it is stored; nil: it is new
	Now       time.Time       // when it is resolved
}

// BookingState is what a booking resolves to.
type BookingState struct {
	BookingRecord
	Disputed []ID    // claims that disagree about custody
	Spent    []int64 // decisions to publish whose grounds hold no more
}

// Booking resolves the claims of a booking. Each source speaks through its lead claim; its other claims only
// show that the person is listed, and how old they are.
func Booking(in BookingInput) BookingState {
	told := slices.DeleteFunc(slices.Clone(in.Claims), func(c *BookingClaim) bool { return !c.Facts.Known() })
	if len(told) == 0 { // without a claim it is what it was
		if in.Before == nil {
			return BookingState{}
		}
		return BookingState{BookingRecord: *in.Before}
	}
	leads := Leads(told)
	oldest := Oldest(told)
	b := BookingState{BookingRecord: BookingRecord{Source: oldest.Source.ID, County: oldest.Facts.County}}
	b.identity(in.Before)
	first := leadOf(leads, oldest)
	b.Name, b.BookedAt = nameOf(leads, first), bookedOf(leads, first)
	if in.Before != nil {
		b.Name = NameKept(in.Before.Name, b.Name)
	}
	b.DOB, b.Year = birthOf(told)
	b.Charges = bookingCharges(leads)
	b.Bond = bondOf(leads)
	b.Agency, _ = Pick(leads, fieldAgency, func(f *BookingFacts) (string, bool) { return f.Agency, f.Agency != "" })
	b.Planned, _ = Pick(leads, fieldPlanned, func(f *BookingFacts) (*time.Time, bool) { return f.Planned, f.Planned != nil })
	out := custodyOf(leads, told, b.BookedAt)
	b.Released, b.Inferred, b.After = out.Released, out.Inferred, out.After
	b.Disputed = disputed(leads, out)
	b.HasPhoto = slices.ContainsFunc(told, func(c *BookingClaim) bool { return c.Photographed })
	b.seen(told, in.Before)
	own := ownReason(told)
	if own == models.WithheldMaybeJuvenile && len(in.Causes) > 0 && retracted(told) {
		own = models.WithheldJuvenile // the flag is taken back, and another record still says so
	}
	g := GroundsOf(told, own)
	g.Causes = in.Causes
	b.Visibility, b.Spent = Decide(g, in.Decisions, visibilityBefore(in.Before), in.Now)
	return b
}

// identity keeps what names the booking.
func (b *BookingState) identity(before *BookingRecord) {
	if before != nil {
		b.Record, b.ID, b.County = before.Record, before.ID, before.County
	}
}

// visibilityBefore returns the visibility that a booking was stored with; that of a new one is the zero value.
func visibilityBefore(before *BookingRecord) Visibility {
	if before == nil {
		return Visibility{}
	}
	return before.Visibility
}

// leadOf is the lead of the source of a claim. A source that reported the booking first did so under whichever key.
func leadOf(leads []*BookingClaim, c *BookingClaim) *BookingClaim {
	return leads[slices.IndexFunc(leads, func(l *BookingClaim) bool { return l.Source.ID == c.Source.ID })]
}

// nameOf is the name: the picked one, unless the source that reported the booking first writes the same name
// in its own way. A greater difference is a correction, from either.
func nameOf(leads []*BookingClaim, first *BookingClaim) string {
	name, by := Pick(leads, fieldName, func(f *BookingFacts) (string, bool) { return f.Name, true })
	if by != first && !first.Source.Import && Namesake(first.Facts.Person(), by.Facts.Person()) {
		return first.Facts.Name
	}
	return name
}

// bookedOf is the time of booking: the picked one, unless it is a day alone and another source knows the
// minute of that day, or the source that reported the booking first has a minute nearby.
func bookedOf(leads []*BookingClaim, first *BookingClaim) time.Time {
	at, by := Pick(leads, fieldBooked, func(f *BookingFacts) (time.Time, bool) { return f.BookedAt, true })
	if models.DayAlone(at) {
		for _, c := range append([]*BookingClaim{first}, leads...) {
			if t := c.Facts.BookedAt; !c.Source.Import && !models.DayAlone(t) && sameDay(t, at) {
				return t
			}
		}
	}
	if t := first.Facts.BookedAt; by != first && !first.Source.Import && t.Sub(at).Abs() <= Nearby && !models.DayAlone(t) {
		return t
	}
	return at
}

// birthOf is the birth that a source reports, also under keys that it lists no more: a date goes before a year.
func birthOf(all []*BookingClaim) (*models.Date, int16) {
	all = speaking(all)
	dob, _ := Pick(all, fieldBirth, func(f *BookingFacts) (*models.Date, bool) { return f.DOB, f.DOB != nil })
	if dob != nil {
		return dob, int16(dob.Year) //nolint:gosec // a year
	}
	year, _ := Pick(all, fieldBirth, func(f *BookingFacts) (int16, bool) { return f.Year, f.Year != 0 })
	return nil, year
}

// bookingCharges are the charges that were claimed last, by a source that reports any.
func bookingCharges(leads []*BookingClaim) []snapshot.Charge {
	charges, _ := Pick(leads, fieldCharges, func(f *BookingFacts) ([]snapshot.Charge, bool) { return f.Charges, len(f.Charges) > 0 })
	return charges
}

// bondOf is the bond that was claimed last. A source that withdraws its bond ends those which sources that
// list the person no more claimed before.
func bondOf(leads []*BookingClaim) *int64 {
	var withdrawn time.Time
	for _, c := range leads {
		if at, took := c.noted(fieldBond); took && c.Facts.Bond == nil {
			withdrawn = newest(withdrawn, at)
		}
	}
	stands := slices.DeleteFunc(slices.Clone(leads), func(c *BookingClaim) bool {
		return !c.Listed() && !c.Of(fieldBond).After(withdrawn)
	})
	bond, _ := Pick(stands, fieldBond, func(f *BookingFacts) (*int64, bool) { return f.Bond, f.Bond != nil })
	return bond
}

// seen is when the booking was seen first and last. A merge may have made it older than its claims are.
func (b *BookingState) seen(claims []*BookingClaim, before *BookingRecord) {
	b.FirstSeen, b.LastSeen = claims[0].FirstAt, claims[0].SaidAt
	for _, c := range claims {
		b.LastSeen = newest(b.LastSeen, c.SaidAt)
		if c.FirstAt.Before(b.FirstSeen) {
			b.FirstSeen = c.FirstAt
		}
	}
	if before != nil {
		b.FirstSeen, b.LastSeen = before.FirstSeen, newest(b.LastSeen, before.LastSeen)
	}
}
