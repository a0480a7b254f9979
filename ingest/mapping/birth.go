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
		b.maybe = yearIn(bad.value)
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
	m.drop(bad)
	if age <= maxAge {
		b.age = age
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

// withheld tells why the person must not be published at the time at; stated is the source's own flag.
func (b birth) withheld(stated bool, at time.Time) string {
	year := b.year
	if year == 0 {
		year = b.maybe
	}
	return juvenile(stated, b.dob, int(year), b.age, at)
}

var yearPattern = regexp.MustCompile(`\b(19|20)\d\d\b`)

// yearIn gives the latest year that a text names, 0 where it names none.
func yearIn(text string) (latest int16) {
	for _, said := range yearPattern.FindAllString(text, -1) {
		if year, err := strconv.ParseInt(said, 10, 16); err == nil {
			latest = max(latest, int16(year))
		}
	}
	return latest
}
