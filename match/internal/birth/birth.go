// Package birth reads what sources know of dates of birth and compares two of them. Its levels of evidence and their worth
// are measured on the labelled pairs of match. It is pure and imports nothing of rollcall.
package birth

import (
	"slices"
	"strconv"
	"strings"
)

// Date is what is known of a date of birth. Year 0 means nothing; Month and Day 0 mean that only the year is known.
type Date struct {
	Year  int16
	Month uint8
	Day   uint8
	// Around says that the year was computed from an age, so that the birth may as well be in the year before.
	Around bool
}

// ByAge returns what an age on a day says of a birth. An age below 0 or above 120 says nothing.
func ByAge(age int, on Date) Date {
	if age < 0 || age > 120 || on.Year == 0 {
		return Date{}
	}
	return Date{Year: on.Year - int16(age), Around: true}
}

// Parse reads YYYY-MM-DD or YYYY; a day or month 00 leaves the year. Anything else, dates before 1900 and impossible
// ones included, is an unknown birth.
func Parse(s string) Date {
	s = strings.TrimSpace(s)
	year, rest, dated := strings.Cut(s, "-")
	y := number(year, 1900, 2100)
	if y == 0 || len(year) != 4 {
		return Date{}
	}
	b := Date{Year: int16(y)} //nolint:gosec // bounded above
	if !dated {
		return b
	}
	month, day, ok := strings.Cut(rest, "-")
	if ok && (month == "00" || day == "00") {
		return b
	}
	m, d := number(month, 1, 12), number(day, 1, 31)
	if !ok || m == 0 || d == 0 {
		return Date{}
	}
	b.Month, b.Day = uint8(m), uint8(d) //nolint:gosec // bounded above
	return b
}

// number returns 0 for anything outside lo..hi.
func number(s string, lo, hi int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < lo || n > hi {
		return 0
	}
	return n
}

// Tie is how two births relate.
type Tie uint8

// The levels of birth evidence, from none to full agreement; BirthConflict
// vetoes.
const (
	Unknown Tie = iota
	Conflict
	YearNear    // years one apart, where a source knows only ages
	Year        // only the year agrees, the rest is unknown
	Placeholder // the year agrees, one side says 1 January for "unknown"
	OnePart     // one of year, month, day is off
	Swapped     // day and month changed places
	Equal
)

// Relate returns the level of two births. Two dates that differ in two parts conflict: one slip is common, two in one
// date are rare.
func Relate(a, b Date) Tie {
	switch {
	case a.Year == 0 || b.Year == 0:
		return Unknown
	case a.Month == 0 || b.Month == 0:
		return relateYears(a, b)
	case a == b:
		return Equal
	case a.Year == b.Year && a.Day == b.Month && a.Month == b.Day:
		return Swapped
	case a.Placeholder() || b.Placeholder():
		return relatePlaceholder(a, b)
	}
	off := 0
	if a.Year != b.Year {
		off++
		if !nearYears(a.Year, b.Year) {
			off++
		}
	}
	if a.Month != b.Month {
		off++
	}
	if a.Day != b.Day {
		off++
	}
	if off == 1 {
		return OnePart
	}
	return Conflict
}

// relateYears compares births of which at least one is only a year. Years one apart agree in part: a year that was
// computed from an age is off by one half of the time. Where that is known, both years agree.
func relateYears(a, b Date) Tie {
	if a.Year < b.Year {
		a, b = b, a
	}
	apart := a.Year - b.Year
	if a.Around && apart > 0 {
		apart--
	}
	switch apart {
	case 0:
		return Year
	case 1:
		return YearNear
	}
	return Conflict
}

// relatePlaceholder compares dates of which one may say no more than its year; a 1 January that agrees in
// all but one part may be a true one with a slip.
func relatePlaceholder(a, b Date) Tie {
	switch {
	case a.Year == b.Year:
		return Placeholder
	case a.Month == b.Month && a.Day == b.Day && nearYears(a.Year, b.Year):
		return OnePart
	}
	if t := relateYears(a, b); t == YearNear {
		return t
	}
	return Conflict
}

// nearYears allows one wrong digit, two digits in the other order, a neighbouring year and a wrong
// century: 1978 may be a slip for 1988, 1987, 1980 and 1973, not for 1965.
func nearYears(a, b int16) bool {
	d := a - b
	return d >= -2 && d <= 2 || d%10 == 0 && d >= -100 && d <= 100 || a/10 == b/10 || a/100 == b/100 && a%100 == b%10*10+b/10%10
}

// Dated reports whether the whole date is known.
func (b Date) Dated() bool { return b.Day != 0 }

// Placeholder reports 1 January, which many systems write for an unknown day.
func (b Date) Placeholder() bool { return b.Month == 1 && b.Day == 1 }

// Worth returns the evidence of a level in nats: how much more often it is seen with one person than with two who are
// compared because their names are alike.
func (t Tie) Worth() float64 {
	return [...]float64{
		Unknown: 0, Conflict: -20, YearNear: 0.7, Year: 3.7, Placeholder: 3.4,
		OnePart: 3, Swapped: 5.5, Equal: 9.5,
	}[t]
}

var reasons = [...]string{
	Unknown: "", Conflict: "birth dates conflict", YearNear: "birth years one apart",
	Year: "birth year agrees", Placeholder: "birth year agrees, day unknown on one side",
	OnePart: "one part of the birth date differs", Swapped: "day and month of birth swapped", Equal: "birth date agrees",
}

// Reason returns the level in words.
func (t Tie) Reason() string { return reasons[t] }

// IsReason reports whether a text is the reason of a level that is known.
func IsReason(text string) bool { return text != "" && slices.Contains(reasons[:], text) }
