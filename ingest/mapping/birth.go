package mapping

import (
	"strconv"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/value"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// birth is what a record says of when a person was born. What cannot be read counts only to protect the
// young: it can withhold a record, and never publish one.
type birth struct {
	// dob is nil if no whole date could be read.
	dob *models.Date
	// year is set whenever dob is; 0 is not known.
	year int16
	// age is in whole years; 0 is not stated.
	age int
	// youth reports whether a word for the young stands there, such as "minor".
	youth bool
	// years are those that an unreadable birth date may name.
	years []int
	// least is a lower bound of the numbers in an unreadable age.
	least int
	// oddDay reports whether what stands for a birth date may be anything, and oddAge the same for an age.
	oddDay bool
	oddAge bool // what stands for an age may be anything
	// hint reports whether one of these texts may speak of a child.
	hint bool
}

// born reads birth date, year and age at the time at, of the booking or filing. A value that cannot be one is
// left out and counted: a slip in a birth date must not hide that somebody is in jail, unless it leaves in
// doubt whether that is a child.
func (m *Mapper) born(e *entity, rec decode.Fields, at time.Time) birth {
	var b birth
	field := e.get("dob")
	when, ok, bad := field.moment(rec)
	switch {
	case bad != nil:
		m.drop(bad)
		b.oddBirth(bad.value, at.Year())
		b.unseen(bad)
	case ok:
		m.takeDay(&b, field, when, at)
	default:
		m.blanked(&b, field, rec, at)
	}
	if b.year == 0 {
		m.birthYear(&b, e.get("birth_year"), rec, at)
	}
	a := m.age(e.get("age"), rec, at.Year())
	b.age, b.least, b.oddAge = a.Years, a.Least, a.Odd
	b.hint = b.hint || a.Hint
	b.youth = b.youth || a.Youth
	b.years = append(b.years, a.Born...)
	if b.year > 0 || b.age > 0 {
		m.births++
	}
	return b
}

// blanked considers a birth date of which the steps of the document left nothing: the text that the source
// wrote may still speak of a child.
func (m *Mapper) blanked(b *birth, f *field, rec decode.Fields, at time.Time) {
	said := f.written(rec, nil, "")
	if said == "" {
		return
	}
	if b.oddBirth(said, at.Year()); b.youth || b.oddDay || len(b.years) > 0 {
		bad := reject(f.name, "is empty after its steps")
		bad.value = said
		m.drop(bad)
	}
}

// birthYear reads a year of birth that stands alone.
func (m *Mapper) birthYear(b *birth, f *field, rec decode.Fields, at time.Time) {
	year, ok, bad := f.whole(rec)
	m.drop(bad)
	switch {
	case bad != nil:
		b.oddBirth(bad.value, at.Year())
		b.unseen(bad)
	case !ok:
	case 1 < year && year < 1600: // 10 may be 2010
		m.drop(reject(f.name, "is not a year"))
		b.oddBirth(strconv.Itoa(year), at.Year())
	case m.likely(f, year, at):
		b.year = int16(year) //nolint:gosec // likely keeps it within a life
	case year > 1900 && year < 3000:
		b.slipped(year, at)
	}
}

// unseen notes that a value may be anything, if not even its text is known.
func (b *birth) unseen(bad *Rejected) {
	if bad.value == "" {
		b.oddDay, b.hint = true, true
	}
}

// slipped notes the years that the last two digits of an impossible year of birth may mean: 2108 may be 2008.
func (b *birth) slipped(year int, at time.Time) {
	b.years = append(b.years, value.Centuries(strconv.Itoa(year)[2:], at.Year())...)
}

// takeDay takes a date that was read as a birth. A year of two digits lies in the past. A date that is no
// likely birth is left out, and what it may say of a child is kept.
func (m *Mapper) takeDay(b *birth, field *field, when value.Moment, at time.Time) {
	day := models.DateOf(when.At)
	if when.Short && day.Year > at.Year() { // 68 is 1968, never 2068
		day.Year -= 100
	}
	if !m.likely(field, day.Year, at) {
		if day.Year > 1900 {
			b.slipped(day.Year, at)
		}
		return
	}
	if when.Day && day.In(models.Georgia).After(at) {
		m.drop(reject(field.name, "lies in the future"))
		b.slipped(day.Year, at)
		return
	}
	b.year = int16(day.Year) //nolint:gosec // likely keeps it within a life
	if when.Day {
		b.dob = &day
	}
}

// likely reports whether a person born in the year can be in jail at the time. Years up to 1900 are sentinels
// and are not counted; others out of range are.
func (m *Mapper) likely(f *field, year int, at time.Time) bool {
	switch {
	case year <= 1900: // a sentinel
		return false
	case year > at.Year():
		m.drop(reject(f.name, "lies in the future"))
	case at.Year()-year > value.MaxAge:
		m.drop(reject(f.name, "lies more than %d years back", value.MaxAge))
	default:
		return true
	}
	return false
}

// drop counts a value that was left out of its row; nil counts nothing.
func (m *Mapper) drop(bad *Rejected) {
	if bad != nil {
		bad.Line = m.line
		m.dropped[bad.String()]++
		if m.Dropped != nil {
			m.Dropped(bad)
		}
	}
}

// withheld returns why a person must not be published who was booked at the time at: juvenile, maybe
// juvenile, or nothing. stated is the source's own flag, and seen the instant that the row speaks of. Under
// 17 (value.Adult) is a juvenile. The cases are those of docs/sources-rules.md, "Juveniles", in the order in
// which they decide.
//
// doubt names what alone makes it a maybe: an unreadable text, one that may speak of a child, or months
// (snapshot.DoubtMonths). In the last case the age was an adult's when the row was written, and a row written on
// the day of the booking would have said so too. Package resolve decides whether a doubt withholds a booking
// that is known already.
func (b birth) withheld(stated bool, at, seen time.Time) (why models.WithheldReason, doubt snapshot.AgeDoubt) {
	if why := juvenile(stated, b.dob, at); why != "" {
		return why, ""
	}
	whole, more := value.YearsBetween(at, seen)
	young := b.youth || b.age > 0 && b.age-whole < value.Adult
	year := b.likeliest(seen)
	turns := at.In(models.Georgia).Year() - year // how old the person became in the year of the booking
	switch {
	// A date of birth decides, unless an age or a word contradicts it.
	case b.dob != nil && young: // the source contradicts itself
		return models.WithheldMaybeJuvenile, ""
	case b.dob != nil:
		return "", ""
	case young:
		return models.WithheldJuvenile, ""
	// Nothing readable says how old the person is, and something unreadable stands there.
	case b.year == 0 && b.unread(whole) && b.hint:
		return models.WithheldMaybeJuvenile, snapshot.DoubtYoung
	case b.year == 0 && b.unread(whole):
		return models.WithheldMaybeJuvenile, snapshot.DoubtText
	// By a year alone: under 17 whatever the day of birth, then over 17 whatever the day, then in doubt.
	case b.year > 0 && b.age == 0 && turns < value.Adult: // whatever the day of birth
		return models.WithheldJuvenile, ""
	case year > 0 && turns > value.Adult:
		return "", ""
	case year > 0 && (b.age == 0 || turns < value.Adult):
		return models.WithheldMaybeJuvenile, ""
	case b.age > 0 && b.age-whole == value.Adult && more:
		return models.WithheldMaybeJuvenile, snapshot.DoubtMonths
	}
	return "", ""
}

// sign returns what a row with this flag, which is withheld for why, is as age evidence: of a flag alone, of
// more than a flag, or of a plain no. A flag alone can be taken back; other evidence cannot.
func (b birth) sign(flag flagged, why models.WithheldReason, at, seen time.Time) snapshot.Sign {
	if flag == flagYes {
		why, _ = b.withheld(false, at, seen)
	}
	switch {
	case why == models.WithheldJuvenile:
		return snapshot.SignMore
	case flag == flagYes:
		return snapshot.SignFlag
	case flag == flagNo:
		return snapshot.SignNo
	}
	return ""
}

// unknown reports whether a row says nothing at all of how old the person is.
func (b birth) unknown() bool {
	return b.year == 0 && b.age == 0 && !b.youth && b.least == 0 && len(b.years) == 0 && !b.oddDay && !b.oddAge
}

// nearAdult is how many years above the first of an adult a number in an unreadable age must be to count as
// an adult's.
const nearAdult = 3

// unread reports whether a text leaves in doubt who is a child, and no readable year of birth or age settles
// it. whole is the number of whole years since the booking.
func (b birth) unread(whole int) bool {
	grown := b.least-whole >= value.Adult+nearAdult
	return b.oddAge || b.least > 0 && !grown || b.oddDay && b.age == 0 && !grown
}

// likeliest returns the year of birth to judge by: the one that was read; else, of those that a text may
// name, the one that agrees with the stated age; else the latest, which makes the person youngest. 0 is none.
func (b birth) likeliest(seen time.Time) (year int) {
	if b.year > 0 {
		return int(b.year)
	}
	for _, y := range b.years {
		if b.age > 0 && value.Agrees(y, b.age, seen) {
			return y
		}
		year = max(year, y)
	}
	return year
}

// withhold returns what withheld returns, and counts rows that only an unreadable text leaves in doubt. When
// most rows are such, the snapshot is held (Reported.Unreadable).
func (m *Mapper) withhold(b birth, stated bool, at, seen time.Time) (why models.WithheldReason, doubt snapshot.AgeDoubt) {
	why, doubt = b.withheld(stated, at, seen)
	if why == models.WithheldMaybeJuvenile && b.year == 0 && (b.oddAge || b.oddDay || b.least > 0 || len(b.years) > 0) {
		m.obscure++
	}
	return why, doubt
}

// oddBirth notes what a text that no layout fits may say of a birth.
func (b *birth) oddBirth(text string, now int) {
	said := value.ReadBirth(text, now)
	b.youth = b.youth || said.Youth
	b.hint = b.hint || said.Hint
	b.years = append(b.years, said.Years...)
	b.oddDay = b.oddDay || said.Odd
}
