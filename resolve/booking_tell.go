package resolve

import (
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// Extent is how much of a row a claim takes.
type Extent uint8

// The extents.
const (
	All          Extent = iota // every field that the row reports
	PresenceOnly               // that the key is listed: the row's birth date conflicts with what is known of the person
	AgeOnly                    // what the row says of the person's age, which counts in whatever order it comes
)

// Missing are the fields that no row of a snapshot reports any more although its source did before: their
// key was renamed, so an empty value says nothing.
type Missing []string

// The names of missing fields that a booking has.
const (
	missingBond        = "bond"
	missingDescription = "charge.description"
)

// has reports whether a field is missing.
func (m Missing) has(field string) bool { return slices.Contains(m, field) }

// NewBooking is a claim under a key that its source did not use before, without a record and without a row.
func NewBooking(p *Policy, key string, stay int16) *BookingClaim {
	return &BookingClaim{Head: Head{Source: p, Key: key, Stay: stay, How: Own}}
}

// TellBooking folds a row into a claim. A row that is older than what the claim has says only how old the
// person is; where only a release by key is newer, it says all but the release. A row that names only a key changes only the release; it may come before the booking that it
// is about, which then completes it.
//
// late reports that the row is older than what is known.
func TellBooking(c *BookingClaim, row *snapshot.RosterRow, take Extent, missing Missing) (late bool) {
	at := Instant(row.SeenAt)
	fresh := c.SaidAt.IsZero()
	late = !fresh && at.Before(c.LastSeen())
	// The first row that names the person, and one that is late only for a release by key: that says nothing else.
	first := fresh || !c.Facts.Known() && !row.KeyOnly
	completes := !row.KeyOnly && (first || c.Facts.WholeAt != nil && at.After(*c.Facts.WholeAt))
	if take != All || late && !completes {
		if take == PresenceOnly {
			tellContested(c, row, late)
		} else {
			tellAge(c, row, late)
		}
		return late
	}
	before := c.Facts
	c.Facts.tellWhole(c, row, at, late)
	tellFacts(c, row, missing, late)
	tellAge(c, row, late && !completes)
	if first {
		c.FirstAt = at
	}
	if !late {
		c.seen(at)
		if c.Fingerprint = row.Fingerprint; keptMissing(&c.Facts, row, missing) {
			c.Fingerprint = nil // it is read again when the field is back
		}
	}
	c.Present = c.Facts.Known() // nobody is listed under a key of which only a release is known
	note(c, &before, at, first)
	return late
}

// tellWhole keeps the instant of the newest row that reports the booking itself, where a release by key is newer.
func (f *BookingFacts) tellWhole(c *BookingClaim, row *snapshot.RosterRow, at time.Time, late bool) {
	switch {
	case !row.KeyOnly && late:
		f.WholeAt = &at
	case !row.KeyOnly:
		f.WholeAt = nil
	case f.WholeAt == nil && f.Known():
		whole := c.SaidAt
		f.WholeAt = &whole
	}
}

// seen notes that the source listed the key at an instant.
func (h *Head) seen(at time.Time) {
	h.SaidAt, h.Present, h.Misses, h.MissingSince = at, true, 0, nil
}

// tellContested notes that a key is listed whose row states another birth date of the person. What the row says of the age
// counts only when it speaks of a juvenile. The next row is read whatever it says.
func tellContested(c *BookingClaim, row *snapshot.RosterRow, late bool) {
	at := Instant(row.SeenAt)
	if models.WithheldReason(row.Withheld) == models.WithheldJuvenile {
		c.Age.Add(Age{At: at, Withheld: models.WithheldJuvenile, Sign: snapshot.SignMore}, late)
	}
	if !late {
		c.seen(at)
	}
	c.Fingerprint = nil
}

// tellAge folds in what the row says of the person's age, unless it is of an earlier booking under the same
// key. The newest birth that the claim knows is a fact of it.
func tellAge(c *BookingClaim, row *snapshot.RosterRow, late bool) {
	if row.KeyOnly || late && c.Facts.Known() && daysApart(row.BookedAt, c.Facts.BookedAt) > 1 {
		return
	}
	before := c.Facts
	c.Age.Add(BookingAge(row), late)
	c.Facts.DOB, c.Facts.Year = c.Age.Birth, c.Age.Year
	if c.Facts.DOB != nil {
		c.Facts.Year = int16(c.Facts.DOB.Year) //nolint:gosec // a year
	}
	if late && before.field(fieldBirth) != c.Facts.field(fieldBirth) {
		c.Claims(fieldBirth, Instant(row.SeenAt))
	}
}

// BookingAge is what a row says of how old the person is.
func BookingAge(row *snapshot.RosterRow) Age {
	return Age{
		At: Instant(row.SeenAt), Withheld: models.WithheldReason(row.Withheld), DOB: row.DOB, Year: row.BirthYear,
		Sign: row.Sign, Doubt: row.AgeDoubt, Adult: row.Adult,
	}
}

// tellFacts takes the fields of a row. late is true of a row that completes a release which came before it:
// the release is newer.
func tellFacts(c *BookingClaim, row *snapshot.RosterRow, missing Missing, late bool) {
	f := &c.Facts
	if !late {
		f.tellRelease(row)
	}
	if row.KeyOnly {
		f.readRelease(Instant(row.SeenAt))
		return
	}
	f.County, f.Name, f.BookedAt, f.Locator = row.CountyID, row.Name, Instant(row.BookedAt), row.Locator
	c.PersonKey, c.Number = row.PersonKey, match.BookingNumber(row.Number)
	if row.BondCents != nil || !row.BondUnread && !missing.has(missingBond) {
		f.Bond = row.BondCents
	}
	f.Charges = keepCharges(f.Charges, row.Charges, missing)
	if late {
		f.readRelease(c.SaidAt)
		f.dropEarlier()
	}
}

// dropEarlier drops a release that came before its booking and lies before it: it was of an earlier booking under the key.
func (f *BookingFacts) dropEarlier() {
	if f.EndsEarly() {
		f.Released, f.Again, f.Untimed = nil, nil, false
	}
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
	case dayOnly(*f.Released) && sameDay(*f.Released, f.BookedAt):
		at := f.BookedAt
		f.Released = &at
	case f.Again != nil && !f.Again.Before(f.BookedAt) && !f.Again.After(seen):
		f.Released, f.Again = f.Again, nil
	case f.Again != nil && !f.Again.Before(f.BookedAt):
		f.Planned, f.Released, f.Again = f.Again, nil, nil
	}
}

// EndsEarly reports whether the claim's release lies before its booking, which is an error of its source.
func (f *BookingFacts) EndsEarly() bool {
	return f.Known() && f.Released != nil && f.Released.Before(f.BookedAt)
}

// note keeps from when the source claims the fields that are others than before.
func note(c *BookingClaim, before *BookingFacts, at time.Time, first bool) {
	if first {
		return
	}
	for _, field := range bookingFields {
		if field != fieldOut && before.field(field) != c.Facts.field(field) {
			c.Claims(field, at)
		}
	}
	// A release that is only stated with another time is no second one.
	if out := c.Facts.Released; (out != nil) != (before.Released != nil) || out != nil && out.After(*before.Released) && out.After(c.Of(fieldOut)) {
		c.Claims(fieldOut, at)
	}
}

// keptMissing reports whether something of a row is only known because its field is missing from all rows.
func keptMissing(f *BookingFacts, row *snapshot.RosterRow, missing Missing) bool {
	if len(missing) == 0 || row.KeyOnly {
		return false
	}
	charges := BookingFacts{Charges: row.Charges}
	return missing.has(missingBond) && row.BondCents == nil && f.Bond != nil || f.field(fieldCharges) != charges.field(fieldCharges)
}

// keepCharges are the charges of a row with what is known of fields that are missing from all of its snapshot.
func keepCharges(known, told []snapshot.Charge, missing Missing) []snapshot.Charge {
	if len(told) == 0 && missing.has(missingDescription) {
		return known
	}
	told = slices.Clone(told)
	if len(missing) == 0 || !slices.Equal(Descriptions(known), Descriptions(told)) {
		return told
	}
	for i, k := range known {
		keep(&told[i].Statute, k.Statute, missing.has("charge.statute"))
		keep(&told[i].Severity, k.Severity, missing.has("charge.severity"))
		keep(&told[i].Disposition, k.Disposition, missing.has("charge.disposition"))
		keep(&told[i].BondText, k.BondText, missing.has("charge.bond"))
		if told[i].BondCents == nil && missing.has("charge.bond") {
			told[i].BondCents = k.BondCents
		}
	}
	return told
}

// keep fills in a known text where the row has none because its field is missing.
func keep(told *string, known string, missing bool) {
	if *told == "" && missing {
		*told = known
	}
}

// SucceedBooking has a claim that leads its source from an instant on inherit from the one that led before: where both
// claim the same value, the source only repeats it under another key; where not, it is news.
func SucceedBooking(c, before *BookingClaim, from time.Time) {
	for _, field := range bookingFields {
		if c.Facts.field(field) == before.Facts.field(field) {
			c.Claims(field, before.Of(field))
		} else if c.Of(field).Before(from) {
			c.Claims(field, from)
		}
	}
}

// instant is a time as the database keeps it.
func instant(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := Instant(*t)
	return &at
}

// dayOnly reports whether a time is a day alone: midnight in Georgia.
func dayOnly(t time.Time) bool {
	hour, minute, second := t.In(models.Georgia).Clock()
	return hour == 0 && minute == 0 && second == 0
}

// day returns the day of an instant in Georgia.
func day(t time.Time) models.Date { return models.DateOf(t.In(models.Georgia)) }

// sameDay reports whether two instants are of one day in Georgia.
func sameDay(a, b time.Time) bool { return day(a) == day(b) }

// daysApart is how many days of the calendar lie between two instants.
func daysApart(a, b time.Time) int {
	d := day(a).In(time.UTC).Sub(day(b).In(time.UTC))
	return int(d.Abs().Hours() / 24)
}
