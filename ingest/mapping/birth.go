package mapping

import (
	"regexp"
	"strconv"
	"time"

	"rollcall/ingest/decode"
	"rollcall/models"
)

// maxAge is the age in years beyond which a birth date is a slip of the pen.
const maxAge = 120

// birth is what a record tells of when a person was born.
type birth struct {
	dob   *models.Date
	year  int16 // 0: not known; set whenever dob is
	age   int   // 0: not stated
	maybe int16 // a year that an unreadable date seems to name: only to protect the young
}

// born reads birth date, year and age at the time at. What can not be one is dropped and counted: a slip in
// a birth date must not hide that somebody is in jail.
func (m *Mapper) born(e *entity, rec decode.Fields, at time.Time) birth {
	var b birth
	field := e.get("dob")
	when, ok, bad := field.moment(rec)
	switch {
	case bad != nil:
		m.drop(bad)
		b.maybe = yearIn(bad.value, at.Year())
	case ok:
		m.takeDay(&b, field, when, at)
	}
	if b.year == 0 {
		year, ok, bad := e.get("birth_year").whole(rec)
		m.drop(bad)
		if ok && m.likely(e.get("birth_year"), year, at) {
			b.year = int16(year) //nolint:gosec // likely keeps it within a life
		}
	}
	age, _, bad := e.get("age").whole(rec)
	if bad != nil {
		if said := agePattern.FindStringSubmatch(bad.value); said != nil { // "16 yrs"
			age, _ = strconv.Atoi(said[1])
		} else {
			m.drop(bad)
		}
	}
	if age <= maxAge {
		b.age = age
	}
	if b.year > 0 || b.age > 0 {
		m.births++
	}
	return b
}

func (m *Mapper) takeDay(b *birth, field *field, when moment, at time.Time) {
	day := models.DateOf(when.at)
	if when.short && day.Year > at.Year() { // 68 is 1968, never 2068
		day.Year -= 100
	}
	if !m.likely(field, day.Year, at) {
		return
	}
	if when.day && day.In(models.Georgia).After(at) {
		m.drop(reject(field.name, "lies in the future"))
		return
	}
	b.year = int16(day.Year) //nolint:gosec // likely keeps it within a life
	if when.day {
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
	case at.Year()-year > maxAge:
		m.drop(reject(f.name, "lies more than %d years back", maxAge))
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
// stated is the source's own flag, seen the instant that the row speaks of. doubt tells that nothing but the
// months between the two makes it a maybe: the age was that of an adult when the row was written, and a row
// written on the day of the booking would have said that it was then, too.
func (b birth) withheld(stated bool, at, seen time.Time) (why string, doubt bool) {
	if why := juvenile(stated, b.dob, at); why != "" {
		return why, false
	}
	whole, more := yearsBetween(at, seen)
	young := b.age > 0 && b.age-whole < adult
	year := int(b.year)
	if year == 0 {
		year = int(b.maybe)
	}
	turns := at.In(models.Georgia).Year() - year // how old the person became in the year of the booking
	switch {
	case b.dob != nil && young: // the source contradicts itself
		return withheldMaybeJuvenile, false
	case b.dob != nil:
		return "", false
	case young:
		return withheldJuvenile, false
	case year > 0 && turns > adult:
		return "", false
	case year > 0 && (b.age == 0 || turns < adult):
		return withheldMaybeJuvenile, false
	case b.age > 0 && b.age-whole == adult && more:
		return withheldMaybeJuvenile, true
	}
	return "", false
}

// yearsBetween gives the whole years from one day in Georgia to a later one, and whether there is more.
func yearsBetween(from, to time.Time) (whole int, more bool) {
	a, b := models.DateOf(from.In(models.Georgia)), models.DateOf(to.In(models.Georgia))
	whole = b.Year - a.Year
	if b.Month < a.Month || b.Month == a.Month && b.Day < a.Day {
		whole--
	}
	if whole < 0 {
		return 0, false
	}
	return whole, b.Month != a.Month || b.Day != a.Day
}

var (
	yearPattern  = regexp.MustCompile(`\b(19|20)\d\d\b`)
	shortPattern = regexp.MustCompile(`\b\d{1,2}[-/. ]\d{1,2}[-/. ](\d\d)\b`)
	agePattern   = regexp.MustCompile(`(?i)^(\d{1,3}) ?(y|yo|y/o|yrs?|years?)\.?( old)?$`)
)

// yearIn gives the latest year until now that a text may name, 0 where it names none: four digits, or the
// last two of a day (5/5/10 may be 2010).
func yearIn(text string, now int) (latest int16) {
	for _, said := range yearPattern.FindAllString(text, -1) {
		if year, err := strconv.ParseInt(said, 10, 16); err == nil {
			latest = max(latest, int16(year))
		}
	}
	for _, said := range shortPattern.FindAllStringSubmatch(text, -1) {
		year, err := strconv.ParseInt(said[1], 10, 16)
		if err != nil {
			continue
		}
		if year += 2000; year > int64(now) {
			year -= 100
		}
		latest = max(latest, int16(year)) //nolint:gosec // below 2100
	}
	return latest
}
