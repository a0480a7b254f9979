package words

import (
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// months are the months of Spanish, as Intl writes them in modules.
var months = [...]string{"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"}

// long are the months and days of the week of Spanish in full.
var (
	longMonths = [...]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}
	weekdays   = [...]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
)

// stamp is a time, written as its kind says.
type stamp struct {
	at   time.Time
	kind int
}

// The kinds of stamps.
const (
	ofMoment  = iota // Jan 2, 2006, 3:04 PM
	ofDay            // Jan 2, 2006
	ofClock          // 3:04 PM
	ofDate           // Monday, January 2, 2006
	ofLongDay        // January 2, 2006
	ofMonth          // Jan
	ofHour           // 3 PM
	ofSecond         // 3:04:05 PM
	ofExact          // Jan 2, 2006, 3:04:05 PM
)

// formats are how English writes each kind.
var formats = [...]string{"Jan 2, 2006, 3:04 PM", "Jan 2, 2006", "3:04 PM", "Monday, January 2, 2006", "January 2, 2006", "Jan", "3 PM", "3:04:05 PM", "Jan 2, 2006, 3:04:05 PM"}

// In returns the time in a language. Languages but English are written as Spanish is in the United States.
func (s stamp) In(l *Language) string {
	if l == English {
		return s.at.Format(formats[s.kind])
	}
	day, year := strconv.Itoa(s.at.Day()), strconv.Itoa(s.at.Year())
	switch s.kind {
	case ofClock, ofHour, ofSecond:
		return strings.NewReplacer("AM", "a.m.", "PM", "p.m.").Replace(s.at.Format(formats[s.kind]))
	case ofDate:
		return weekdays[s.at.Weekday()] + ", " + day + " de " + longMonths[s.at.Month()-1] + " de " + year
	case ofLongDay:
		return day + " de " + longMonths[s.at.Month()-1] + " de " + year
	case ofMonth:
		return months[s.at.Month()-1]
	case ofDay:
		return day + " " + months[s.at.Month()-1] + " " + year
	case ofExact:
		return stamp{s.at, ofDay}.In(l) + ", " + stamp{s.at, ofSecond}.In(l)
	}
	return stamp{s.at, ofDay}.In(l) + ", " + stamp{s.at, ofClock}.In(l)
}

// When returns a moment in Georgia's time, a day where the source stated no time, and a dash for nil.
func When(t any) Text {
	m, ok := Moment(t)
	if !ok {
		return Plain("–")
	}
	kind := ofMoment
	if models.DayAlone(m) {
		kind = ofDay
	}
	return Text{"{1}", stamp{m.In(models.Georgia), kind}}
}

// Minute returns a moment in Georgia's time, also exactly midnight with its time.
func Minute(t time.Time) Text { return Text{"{1}", stamp{t.In(models.Georgia), ofMoment}} }

// Hour returns the hour of a moment in Georgia's time, such as 3 PM.
func Hour(t time.Time) Text { return Text{"{1}", stamp{t.In(models.Georgia), ofHour}} }

// Day returns a calendar day.
func Day(d models.Date) Text { return Text{"{1}", stamp{d.In(time.UTC), ofDay}} }

// Month returns the month of a calendar day, as leaves of a calendar have it.
func Month(d models.Date) Text { return Text{"{1}", stamp{d.In(time.UTC), ofMonth}} }

// LongDay returns the day of a moment in Georgia, with the month in full.
func LongDay(t time.Time) Text { return Text{"{1}", stamp{t.In(models.Georgia), ofLongDay}} }

// FullDay returns a day with that of the week, and the month in full.
func FullDay(t time.Time) Text { return Text{"{1}", stamp{t, ofDate}} }

// Clock returns the time of day of a moment, in Georgia.
func Clock(t time.Time) Text { return Text{"{1}", stamp{t.In(models.Georgia), ofClock}} }

// Moment returns the time that a template passed, and whether there is one.
func Moment(t any) (time.Time, bool) {
	switch t := t.(type) {
	case time.Time:
		return t, !t.IsZero()
	case *time.Time:
		if t != nil {
			return *t, true
		}
	}
	return time.Time{}, false
}

// Span returns a length of time in its largest unit.
func Span(d time.Duration) Text {
	switch {
	case d >= 24*time.Hour:
		return T("{1 day|days}", int(d/(24*time.Hour)))
	case d >= time.Hour:
		return T("{1 hour|hours}", int(d/time.Hour))
	case d >= time.Minute:
		return T("{1 minute|minutes}", int(d/time.Minute))
	}
	return T("less than a minute")
}

// Ago returns the time since a moment in one unit, rounded down: "2 minutes ago", "in 1 hour".
func Ago(d time.Duration) Text {
	switch {
	case d < 0:
		return T("in {1}", Span(-d))
	case d < time.Minute:
		return T("just now")
	}
	return T("{1} ago", Span(d))
}

// Spell returns a length of time in all of its units: "1 hour 30 minutes".
func Spell(d time.Duration) Text {
	var parts []Text
	for _, u := range []struct {
		message Text
		size    time.Duration
	}{
		{T("{1 day|days}"), 24 * time.Hour},
		{T("{1 hour|hours}"), time.Hour},
		{T("{1 minute|minutes}"), time.Minute},
		{T("{1 second|seconds}"), time.Second},
	} {
		if n := int(d / u.size); n > 0 {
			parts = append(parts, append(u.message, n))
			d -= time.Duration(n) * u.size
		}
	}
	return Join(" ", parts...)
}

// Second returns the time of day in Georgia, to the second.
func Second(t time.Time) Text { return Text{"{1}", stamp{t.In(models.Georgia), ofSecond}} }
