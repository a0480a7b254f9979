package match_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

// Seeds are the shapes of feeds, and texts that a parser would rather not see.
var hostileNames = []string{
	"SMITH, JOHN ALLEN JR", "John Smith", "DE LA CRUZ-GARCIA, MARIA", "O\u2019BRIEN, SEAN III", "GARCIA LOPEZ JUAN", "LEE, M", "JOHNALLEN SMITH",
	"SMITH, JOHN AKA JONES, JAY (aka BUD)", "J0HN5ON, P?TER", "NU\u00c3\u2018EZ, JOS\ufffd", "ABCDEFGHIJKLMNOPQRST", "\xff", "\x00", "(((", "))) aka ; nee", "-,-,", "a/k/a",
	"1 2 3", "jr", ",", "\u00d1 ??", "\u0130i\u0307\u1e9e", strings.Repeat("a ", 300), strings.Repeat("x", 5000), strings.Repeat("de la ", 40), strings.Repeat("aka smith john;", 60),
}

func seedPairs(f *testing.F) {
	f.Helper()
	for i, a := range hostileNames {
		f.Add(a, hostileNames[(i*7+1)%len(hostileNames)])
		f.Add(a, a)
	}
}

// FuzzCompare holds the score to what every caller relies on: bounds, symmetry, no doubt about oneself, and reasons
// that can be printed.
func FuzzCompare(f *testing.F) {
	seedPairs(f)
	f.Add("MITHJ0HN", "101r")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := match.Parse(a), match.Parse(b)
		s, back := match.Compare(&x, &y), match.Compare(&y, &x)
		require.True(t, s.Probability >= 0 && s.Probability <= 1, "%v", s.Probability)
		require.InDelta(t, s.Probability, back.Probability, 1e-6, "the order of two names says nothing")
		if x.Empty() || y.Empty() {
			require.Less(t, s.Probability, match.DefaultThreshold, "nothing is nobody's name")
		}
		again := match.Parse(strings.ToUpper(a))
		if isASCII(a) {
			require.InDelta(t, s.Probability, match.Compare(&again, &y).Probability, 1e-6, "letter case says nothing")
		}
		for _, r := range match.Explain(&x, &y) {
			require.True(t, utf8.ValidString(r) && r != "", "%q", r)
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// FuzzLinks holds the rules of linkage against any names and births: no birth evidence is at most low, a year only at
// most medium, a conflict is never a link, and a twin record is a tie.
func FuzzLinks(f *testing.F) {
	births := []string{"1980-03-04", "1980", "", "1980-01-01", "0000-00-00", "1980-13-40", "x", "1980-3"}
	for i, a := range hostileNames {
		f.Add(a, hostileNames[(i*5+2)%len(hostileNames)], births[i%len(births)], births[(i/2)%len(births)])
		f.Add(a, a, births[0], births[i%len(births)])
	}
	f.Fuzz(func(t *testing.T, a, b, bornA, bornB string) {
		booking := &match.Booking{Name: match.Parse(a), Born: match.ParseBirth(bornA)}
		r := match.Record{ID: "r", Name: match.Parse(b), Born: match.ParseBirth(bornB)}
		link := match.Best(booking, []match.Record{r}, 1000)
		require.True(t, link.Probability >= 0 && link.Probability <= 1)
		switch {
		case match.BirthsConflict(booking.Born, r.Born):
			require.Equal(t, match.NoLink, link.Confidence)
		case booking.Born == match.Birth{} || r.Born == match.Birth{}:
			require.LessOrEqual(t, link.Confidence, match.Low)
		case booking.Born.Day == 0 || r.Born.Day == 0:
			require.LessOrEqual(t, link.Confidence, match.Medium)
		}
		twin := r
		twin.ID = "s"
		require.Equal(t, match.NoLink, match.Best(booking, []match.Record{r, twin}, 1000).Confidence, "a tie")
		require.Equal(t, match.NewLinker([]match.Record{r}).Link(booking, true), match.Best(booking, match.NewLinker([]match.Record{r}).Near(booking), 1))
	})
}

// FuzzLinkCase holds the rules for court cases: without an equal birth date and without the booking's number nothing is
// above low, and nothing at all without an offense in common.
func FuzzLinkCase(f *testing.F) {
	for i, a := range hostileNames {
		f.Add(a, hostileNames[(i+1)%len(hostileNames)], "BURGLARY 16-7-1", "Burglary 2nd", "B2026-1", "B 2026 1", i%2 == 0)
		f.Add(a, a, "FELONY", "DUI", "", "", i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, a, b, offense, charge, named, number string, dated bool) {
		c := &match.Case{Name: match.Parse(a), Offenses: []string{offense}, Booking: named}
		s := match.Stay{Name: match.Parse(b), Charges: []string{charge}, Numbers: []string{number}}
		if dated {
			c.Born, s.Born = match.ParseBirth("1980-03-04"), match.ParseBirth("1980-03-04")
		}
		for _, k := range match.LinkCase(c, []match.Stay{s}) {
			require.NotEqual(t, match.NoLink, k.Confidence)
			require.NotEmpty(t, k.Reasons)
			numbers := match.BookingNumber(named) != "" && match.BookingNumber(named) == match.BookingNumber(number)
			if !dated && !numbers {
				require.Equal(t, match.Low, k.Confidence)
				require.Contains(t, k.Reasons, "offense agrees with a charge")
			}
		}
	})
}
