package match

import (
	"strconv"
	"strings"
)

// Birth is what is known of a date of birth. Year 0 means nothing; Month and
// Day 0 mean that only the year is known.
type Birth struct {
	Year  int16
	Month uint8
	Day   uint8
}

// ParseBirth reads YYYY-MM-DD or YYYY; a day or month 00 leaves the year.
// Anything else, dates before 1900 and impossible ones included, is an unknown
// birth.
func ParseBirth(s string) Birth {
	s = strings.TrimSpace(s)
	year, rest, dated := strings.Cut(s, "-")
	y := number(year, 1900, 2100)
	if y == 0 || len(year) != 4 {
		return Birth{}
	}
	b := Birth{Year: int16(y)} //nolint:gosec // bounded above
	if !dated {
		return b
	}
	month, day, ok := strings.Cut(rest, "-")
	if ok && (month == "00" || day == "00") {
		return b
	}
	m, d := number(month, 1, 12), number(day, 1, 31)
	if !ok || m == 0 || d == 0 {
		return Birth{}
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

// BirthTie is how two births relate.
type BirthTie uint8

// The levels of birth evidence, from none to full agreement; BirthConflict
// vetoes.
const (
	BirthUnknown BirthTie = iota
	BirthConflict
	BirthYearNear    // years one apart, where a source knows only ages
	BirthYear        // only the year agrees, the rest is unknown
	BirthPlaceholder // the year agrees, one side says 1 January for "unknown"
	BirthOnePart     // one of year, month, day is off
	BirthSwapped     // day and month changed places
	BirthEqual
)

// relateBirths finds the level of two births. Two dates that differ in two
// parts conflict.
func relateBirths(a, b Birth) BirthTie {
	switch {
	case a.Year == 0 || b.Year == 0:
		return BirthUnknown
	case a.Month == 0 || b.Month == 0:
		return relateYears(a, b)
	case a == b:
		return BirthEqual
	case a.Year == b.Year && a.Day == b.Month && a.Month == b.Day:
		return BirthSwapped
	case a.placeholder() || b.placeholder():
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
		return BirthOnePart
	}
	return BirthConflict
}

func relateYears(a, b Birth) BirthTie {
	switch a.Year - b.Year {
	case 0:
		return BirthYear
	case 1, -1:
		return BirthYearNear
	}
	return BirthConflict
}

// relatePlaceholder compares dates of which one may say no more than its year; a 1 January that agrees in
// all but one part may be a true one with a slip.
func relatePlaceholder(a, b Birth) BirthTie {
	switch {
	case a.Year == b.Year:
		return BirthPlaceholder
	case a.Month == b.Month && a.Day == b.Day && nearYears(a.Year, b.Year):
		return BirthOnePart
	}
	if t := relateYears(a, b); t == BirthYearNear {
		return t
	}
	return BirthConflict
}

// nearYears allows one wrong digit, two digits in the other order, a neighbouring year and a wrong
// century: 1978 may be a slip for 1988, 1987, 1980 and 1973, not for 1965.
func nearYears(a, b int16) bool {
	d := a - b
	return d >= -2 && d <= 2 || d%10 == 0 && d >= -100 && d <= 100 || a/10 == b/10 || a/100 == b/100 && a%100 == b%10*10+b/10%10
}

// dated reports whether the whole date is known.
func (b Birth) dated() bool { return b.Day != 0 }

// placeholder reports 1 January, which many systems write for an unknown day.
func (b Birth) placeholder() bool { return b.Month == 1 && b.Day == 1 }

// worth is the evidence of a level in nats: how much more often it is seen with
// one person than with two who are compared because their names are alike.
func (t BirthTie) worth() float64 {
	return [...]float64{
		BirthUnknown: 0, BirthConflict: -20, BirthYearNear: 0.7, BirthYear: 3.7, BirthPlaceholder: 3.4,
		BirthOnePart: 3, BirthSwapped: 5.5, BirthEqual: 9.5,
	}[t]
}

// reason says the level in words.
func (t BirthTie) reason() string {
	return [...]string{
		BirthUnknown: "", BirthConflict: "birth dates conflict", BirthYearNear: "birth years one apart",
		BirthYear: "birth year agrees", BirthPlaceholder: "birth year agrees, day unknown on one side",
		BirthOnePart: "one part of the birth date differs", BirthSwapped: "day and month of birth swapped", BirthEqual: "birth date agrees",
	}[t]
}

// CompareBorn is [Compare] with what is known of both births. Unknown births
// leave the score as it is, conflicting ones make it next to nothing.
func CompareBorn(a, b *Name, bornA, bornB Birth) Score {
	s := Compare(a, b)
	if t := relateBirths(bornA, bornB); t != BirthUnknown {
		return scoreOf(s.LogOdds + even + t.worth())
	}
	return s
}

// ExplainBorn is [Explain] with the reason that the births give, if any.
func ExplainBorn(a, b *Name, bornA, bornB Birth) []string {
	return withBirth(Explain(a, b), relateBirths(bornA, bornB))
}

func withBirth(reasons []string, t BirthTie) []string {
	if r := t.reason(); r != "" {
		return append(reasons, r)
	}
	return reasons
}
