package watch

import "rollcall/match"

// Known is what a watcher knows of the birth of the person meant.
type Known uint8

// What may be known, from least to most.
const (
	Nothing Known = iota
	Age
	Year
	Date
)

// YearlyBookings is how many people a state books in a year: Georgia.
const YearlyBookings = 400_000

// wrongYearly are the wrong alerts a watcher and year for an average name, among YearlyBookings that state a birth date.
// `go run ./bench/levels` prints them.
var wrongYearly = map[match.Level][4]float64{
	match.Strict: {Nothing: 0.01, Age: 0.006, Year: 0.004, Date: 0.001},
	match.Normal: {Nothing: 0.2, Age: 0.055, Year: 0.036, Date: 0.061},
	// A date admits names that hardly fit, a year does not.
	match.Wide: {Nothing: 1, Age: 0.12, Year: 0.085, Date: 0.45},
}

// KnownOf returns what a birth is worth to a watcher.
func KnownOf(b match.Birth) Known {
	switch {
	case b.Year == 0:
		return Nothing
	case b.Dated():
		return Date
	case b.Around:
		return Age
	}
	return Year
}

// Wrong returns the alerts that a watcher of an average name has to expect in a year about people whose names do not fit.
// bookings is how many bookings a year it meets: those of its county, or of all. stated is the share of them whose record
// has a birth date or year; the others are not narrowed by a birth. Namesakes are not counted.
func Wrong(level match.Level, known Known, bookings, stated float64) float64 {
	of := wrongYearly[level]
	return bookings / YearlyBookings * (stated*of[known] + (1-stated)*of[Nothing])
}
