package models

import (
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // the zone of Georgia, also on hosts without a zone database

	"github.com/jackc/pgx/v5/pgtype"
)

// Georgia is the civil time zone of every county: America/New_York.
var Georgia = mustZone("America/New_York")

func mustZone(name string) *time.Location {
	l, err := time.LoadLocation(name)
	if err != nil {
		panic("the binary holds no zone " + name + ": " + err.Error())
	}
	return l
}

// Date is a calendar day without a time or zone, as in a date of birth.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads a strict YYYY-MM-DD of an existing day in the years 1 to 9999.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1 {
		return Date{}, fmt.Errorf("%.40q is not a date like 2026-03-08", s)
	}
	return DateOf(t), nil
}

// DateOf is the calendar day of t in t's own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// String returns YYYY-MM-DD.
func (d Date) String() string { return string(d.AppendTo(make([]byte, 0, 10))) }

// DayAlone reports whether a moment that a source stated is a day without a time: sources write midnight of Georgia for that.
func DayAlone(t time.Time) bool {
	hour, minute, second := t.In(Georgia).Clock()
	return hour == 0 && minute == 0 && second == 0
}

// AppendTo appends YYYY-MM-DD to b without allocating.
func (d Date) AppendTo(b []byte) []byte {
	return append(b,
		digit(d.Year/1000), digit(d.Year/100), digit(d.Year/10), digit(d.Year), '-',
		digit(int(d.Month)/10), digit(int(d.Month)), '-', digit(d.Day/10), digit(d.Day))
}

// digit is the last decimal digit of n.
func digit(n int) byte { return "0123456789"[n%10] }

// In returns the first instant of the day in zone l; a day without 00:00 starts when it starts.
func (d Date) In(l *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, l)
}

// Next is the day after d by calendar.
func (d Date) Next() Date { return DateOf(d.In(time.UTC).AddDate(0, 0, 1)) }

// AgeOn is how old somebody who was born on d is on day on.
func (d Date) AgeOn(on Date) int {
	age := on.Year - d.Year
	if on.Month < d.Month || on.Month == d.Month && on.Day < d.Day {
		age--
	}
	return age
}

// After says whether d is later than e.
func (d Date) After(e Date) bool { return d.In(time.UTC).After(e.In(time.UTC)) }

// Conflicts reports whether two dates of birth cannot be one date, misread: at least two of year, month and
// day must agree, or day and month be swapped.
func (d Date) Conflicts(e Date) bool {
	agree := 0
	for _, same := range []bool{d.Year == e.Year, d.Month == e.Month, d.Day == e.Day} {
		if same {
			agree++
		}
	}
	swapped := d.Year == e.Year && int(d.Month) == e.Day && d.Day == int(e.Month)
	return agree < 2 && !swapped
}

// ScanDate reads a date column (pgtype.DateScanner).
func (d *Date) ScanDate(v pgtype.Date) error {
	if !v.Valid {
		return errors.New("scan date: null into a day that is always set")
	}
	*d = DateOf(v.Time)
	return nil
}

// DateValue binds the day as a date parameter (pgtype.DateValuer).
func (d Date) DateValue() (pgtype.Date, error) {
	return pgtype.Date{Time: d.In(time.UTC), Valid: true}, nil
}

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return d.AppendTo(nil), nil }

// UnmarshalText reads YYYY-MM-DD.
func (d *Date) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDate(string(text))
	return err
}
