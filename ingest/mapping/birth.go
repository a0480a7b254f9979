package mapping

import (
	"strconv"
	"time"

	"rollcall/ingest/decode"
	"rollcall/ingest/value"
	"rollcall/models"
)

// birth is what a record tells of when a person was born. What can not be read counts only to protect the young.
type birth struct {
	// nil: no whole date could be read.
	dob    *models.Date
	year   int16 // 0: not known; set whenever dob is
	age    int   // 0: not stated
	youth  bool  // a word for the young stands there
	years  []int // that a birth date which can not be read may name
	least  int   // no number of an age that can not be read is less
	oddDay bool  // what stands for a birth date may be anything
	oddAge bool  // what stands for an age may be anything
	hint   bool  // of these texts one may speak of a child
}

// born reads birth date, year and age at the time at. What can not be one is dropped and counted: a slip in
// a birth date must not hide that somebody is in jail, unless it leaves in doubt whether that is a child.
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

// blanked heeds a birth date of which the steps of the document left nothing.
func (m *Mapper) blanked(b *birth, f *field, rec decode.Fields, at time.Time) {
	said := f.written(rec, nil, "")
	if said == "" {
		return
	}
	if b.oddBirth(said, at.Year()); b.youth || b.oddDay || len(b.years) > 0 {
		bad := reject(f.name, "is nothing after its steps")
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
		m.drop(reject(f.name, "is no year"))
		b.oddBirth(strconv.Itoa(year), at.Year())
	case m.likely(f, year, at):
		b.year = int16(year) //nolint:gosec // likely keeps it within a life
	case year > 1900 && year < 3000:
		b.slipped(year, at)
	}
}

// unseen notes that a value of which not even the text is known may be anything.
func (b *birth) unseen(bad *Rejected) {
	if bad.value == "" {
		b.oddDay, b.hint = true, true
	}
}

// slipped notes the years that the last two digits of one which can be none of birth may mean.
func (b *birth) slipped(year int, at time.Time) {
	b.years = append(b.years, value.Centuries(strconv.Itoa(year)[2:], at.Year())...)
}

// takeDay takes a date that was read as a birth. A year of two digits lies in the past; a date that is no likely birth
// is dropped, and what it may say of a child is kept.
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

// likely tells whether somebody born in the year can be in jail at the time.
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

// drop counts a value that was left out of its row.
func (m *Mapper) drop(bad *Rejected) {
	if bad != nil {
		bad.Line = m.line
		m.dropped[bad.String()]++
		if m.Dropped != nil {
			m.Dropped(bad)
		}
	}
}

// withheld tells why the person must not be published who was booked at the time at, under 17 or maybe so;
// stated is the source's own flag, seen the instant that the row speaks of. doubt tells that nothing but that makes it
// a maybe: of models.DoubtMonths the age was that of an adult when the row was written, and a row written on the day of
// the booking would have said that it was then, too.
func (b birth) withheld(stated bool, at, seen time.Time) (why string, doubt models.AgeDoubt) {
	if why := juvenile(stated, b.dob, at); why != "" {
		return why, ""
	}
	whole, more := value.YearsBetween(at, seen)
	young := b.youth || b.age > 0 && b.age-whole < value.Adult
	year := b.likeliest(seen)
	turns := at.In(models.Georgia).Year() - year // how old the person became in the year of the booking
	switch {
	case b.dob != nil && young: // the source contradicts itself
		return withheldMaybeJuvenile, ""
	case b.dob != nil:
		return "", ""
	case young:
		return withheldJuvenile, ""
	case b.year == 0 && b.unread(whole) && b.hint:
		return withheldMaybeJuvenile, models.DoubtYoung
	case b.year == 0 && b.unread(whole):
		return withheldMaybeJuvenile, models.DoubtText
	case b.year > 0 && b.age == 0 && turns < value.Adult: // whatever the day of birth
		return withheldJuvenile, ""
	case year > 0 && turns > value.Adult:
		return "", ""
	case year > 0 && (b.age == 0 || turns < value.Adult):
		return withheldMaybeJuvenile, ""
	case b.age > 0 && b.age-whole == value.Adult && more:
		return withheldMaybeJuvenile, models.DoubtMonths
	}
	return "", ""
}

// sign tells what a row with this flag, which is withheld for why, says of a juvenile.
func (b birth) sign(flag flagged, why string, at, seen time.Time) models.Sign {
	if flag == flagYes {
		why, _ = b.withheld(false, at, seen)
	}
	switch {
	case why == withheldJuvenile:
		return models.SignMore
	case flag == flagYes:
		return models.SignFlag
	case flag == flagNo:
		return models.SignNo
	}
	return ""
}

// nearAdult is how many years beyond the first of an adult a number in a text must be that is no plain age.
const nearAdult = 3

// unread tells whether a text leaves in doubt who is a child, and no year of birth or age that can be read settles it.
// whole is the years since the booking.
func (b birth) unread(whole int) bool {
	grown := b.least-whole >= value.Adult+nearAdult
	return b.oddAge || b.least > 0 && !grown || b.oddDay && b.age == 0 && !grown
}

// likeliest is the year of birth to judge by: the one that was read, else of those that a text may name the one that
// the stated age agrees with, else the latest; 0: none.
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

// withhold tells what withheld does, and counts whom nothing but a text that can not be read leaves in doubt.
func (m *Mapper) withhold(b birth, stated bool, at, seen time.Time) (why string, doubt models.AgeDoubt) {
	why, doubt = b.withheld(stated, at, seen)
	if why == withheldMaybeJuvenile && b.year == 0 && (b.oddAge || b.oddDay || b.least > 0 || len(b.years) > 0) {
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
