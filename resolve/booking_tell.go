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

// missingDescription is the field that names a charge: without it there are no charges to match.
const missingDescription = "charge.description"

// missingAgency is the field that names the agency.
const missingAgency = "booking.agency"

// NewBooking is a claim under a key that its source did not use before, without a record and without a row.
func NewBooking(p *Policy, key string, stay int16) *BookingClaim {
	return &BookingClaim{Head: Head{Source: p, Key: key, Stay: stay, How: Own}}
}

// TellBooking folds a row into a claim. A row that names only a key says something of the release alone, and where only
// changes are reported a row with a blank release says something of the rest alone. So the two have instants of their own:
// each is as new as the newest row that reports it. A row that is older than both says only how old the person is. A key may
// be used again: a release of an earlier stay says nothing of this one.
//
// late reports that the row is older than what is known. early reports a release by key that lies before the booking: the
// row is an error of its source, and nothing of it is taken.
func TellBooking(c *BookingClaim, row *snapshot.RosterRow, take Extent, missing MissingFields) (late, early bool) {
	at := Instant(row.SeenAt)
	fresh := c.SaidAt.IsZero()
	late = !fresh && at.Before(c.LastSeen())
	first := fresh || !c.Facts.Known() && !row.KeyOnly // the first row that names the person
	wholeAt, outAt := partInstants(c)
	whole := !row.KeyOnly && (first || !late || at.After(wholeAt))
	out := saysRelease(row) && (!late || at.After(outAt))
	if out && !whole && c.Facts.ofEarlierStay(row, at) {
		out, early = false, row.KeyOnly
	}
	if take != All || !whole && !out {
		if take == PresenceOnly {
			tellContested(c, row, late)
		} else {
			tellAge(c, row, late)
		}
		return late, early
	}
	before := c.Facts
	if out {
		c.Facts.tellRelease(row)
		outAt = at
	}
	if whole {
		tellWhole(c, row, missing)
		wholeAt = at
	}
	c.Facts.readRelease(newest(at, c.SaidAt))
	c.Facts.dropEarlier()
	tellAge(c, row, late && !whole)
	if first {
		if !out {
			keepPending(c)
		}
		c.FirstAt = at
	}
	if !late {
		c.seen(at)
		if c.Fingerprint = row.Fingerprint; keptMissing(&c.Facts, row, missing) {
			c.Fingerprint = nil // it is read again when the field is back
		}
	}
	// Nobody is listed under a key of which only a release is known. A late row says nothing of who is listed now.
	if first || !c.Facts.Known() {
		c.Present = c.Facts.Known()
	}
	c.Facts.WholeAt, c.Facts.OutAt = otherThan(c.SaidAt, wholeAt), otherThan(c.SaidAt, outAt)
	note(c, &before, at, first)
	return late, false
}

// partInstants returns the instants of the newest rows that report the booking itself, and its release; zero: none did.
func partInstants(c *BookingClaim) (whole, out time.Time) {
	whole, out = c.LastSeen(), c.LastSeen()
	if at := c.Facts.WholeAt; at != nil {
		whole = *at
	}
	if at := c.Facts.OutAt; at != nil {
		out = *at
	}
	return whole, out
}

// seen notes that the source listed the key at an instant.
func (h *Head) seen(at time.Time) {
	h.SaidAt, h.Present, h.Misses, h.MissingSince = at, true, 0, nil
}

// tellContested notes that a key is listed whose row states another birth date of the person. What the row says of the age
// counts only when it speaks of a juvenile. The next row is read whatever it says.
func tellContested(c *BookingClaim, row *snapshot.RosterRow, late bool) {
	at := Instant(row.SeenAt)
	if row.Withheld == models.WithheldJuvenile {
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
	if row.KeyOnly || late && c.Facts.ofAnotherDay(row) {
		return
	}
	before := c.Facts
	c.Age.Add(BookingAge(row), late)
	var last time.Time // of a newer row that names the person
	if late {
		last = c.LastSeen()
	}
	c.Age.Named(row.Name, Instant(row.SeenAt), last)
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
		At: Instant(row.SeenAt), Withheld: row.Withheld, DOB: row.DOB, Year: row.BirthYear,
		Sign: row.Sign, Doubt: row.AgeDoubt, Adult: row.Adult,
	}
}

// otherThan is an instant, nil where it is that of the newest row.
func otherThan(said, at time.Time) *time.Time {
	if at.Equal(said) {
		return nil
	}
	return &at
}

// tellWhole takes the fields of a row but the release.
func tellWhole(c *BookingClaim, row *snapshot.RosterRow, missing MissingFields) {
	f := &c.Facts
	f.County, f.Name, f.BookedAt = row.CountyID, NameKept(f.Name, row.Name), Instant(row.BookedAt)
	f.Locator, c.PersonKey, c.Number = said(row, row.Locator, f.Locator), said(row, row.PersonKey, c.PersonKey), said(row, match.BookingNumber(row.Number), c.Number)
	if row.BondCents != nil || !row.BondUnread && !missing.Any(snapshot.MissingBond) {
		f.Bond = row.BondCents
	}
	agency := said(row, row.Agency, f.Agency)
	keep(&agency, f.Agency, missing.Any(missingAgency))
	f.Agency = agency
	if len(row.Charges) > 0 || !row.Changes {
		f.Charges = keepCharges(f.Charges, row.Charges, missing)
	}
}

// said is what a row says of a text: a blank says nothing where its source reports only changes.
func said(row *snapshot.RosterRow, text, known string) string {
	if text == "" && row.Changes {
		return known
	}
	return text
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

// keepPending keeps from when the source claims a release by key that came before its booking: since its own row, whenever the
// booking comes.
func keepPending(c *BookingClaim) {
	if c.Facts.Released != nil {
		c.Claims(fieldRelease, c.Of(fieldRelease))
		c.Claims(fieldOut, c.Of(fieldOut))
	}
}

// NoteTogether notes anew from when the source claims the fields that rows of one instant changed. What one of them changed and
// a later one changed back is no news, or a file that is sent again would claim both again. before is the claim without them.
func NoteTogether(c, before *BookingClaim, at time.Time) {
	if before.Facts.Known() {
		c.Since = before.Since
		note(c, &before.Facts, Instant(at), false)
	}
}

// keptMissing reports whether something of a row is only known because its field is missing from all rows.
func keptMissing(f *BookingFacts, row *snapshot.RosterRow, missing MissingFields) bool {
	if len(missing) == 0 || row.KeyOnly {
		return false
	}
	charges := BookingFacts{Charges: row.Charges}
	return missing.Any(snapshot.MissingBond) && row.BondCents == nil && f.Bond != nil ||
		missing.Any(missingAgency) && row.Agency == "" && f.Agency != "" || f.field(fieldCharges) != charges.field(fieldCharges)
}

// keepCharges are the charges of a row with what is known of fields that are missing from all of its snapshot.
func keepCharges(known, told []snapshot.Charge, missing MissingFields) []snapshot.Charge {
	if len(told) == 0 && missing.Any(missingDescription) {
		return known
	}
	told = slices.Clone(told)
	if len(missing) == 0 || !slices.Equal(Descriptions(known), Descriptions(told)) {
		return told
	}
	for i, k := range known {
		keep(&told[i].Statute, k.Statute, missing.Any("charge.statute"))
		keep(&told[i].Severity, k.Severity, missing.Any("charge.severity"))
		keep(&told[i].Disposition, k.Disposition, missing.Any("charge.disposition"))
		keep(&told[i].BondText, k.BondText, missing.Any("charge.bond"))
		if told[i].BondCents == nil && missing.Any("charge.bond") {
			told[i].BondCents, told[i].BondKind = k.BondCents, k.BondKind
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

// SucceedBooking has a claim that leads its source from an instant on inherit from the one that led before, field by field
// (Head.succeed).
func SucceedBooking(c, before *BookingClaim, from time.Time) {
	for _, field := range bookingFields {
		c.succeed(&before.Head, field, c.Facts.field(field) == before.Facts.field(field), from)
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

// day returns the day of an instant in Georgia.
func day(t time.Time) models.Date { return models.DateOf(t.In(models.Georgia)) }

// sameDay reports whether two instants are of one day in Georgia.
func sameDay(a, b time.Time) bool { return day(a) == day(b) }

// daysApart is how many days of the calendar lie between two instants.
func daysApart(a, b time.Time) int {
	d := day(a).In(time.UTC).Sub(day(b).In(time.UTC))
	return int(d.Abs().Hours() / 24)
}
