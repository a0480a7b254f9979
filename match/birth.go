package match

import (
	"rollcall/match/internal/birth"
)

// Birth is what is known of a date of birth. Year 0 means nothing; Month and Day 0 mean that only the year is known.
type Birth = birth.Date

// ParseBirth reads YYYY-MM-DD or YYYY; a day or month 00 leaves the year. Anything else is an unknown birth, dates
// before 1900 and impossible ones included: a wrong birth would veto a right link.
func ParseBirth(s string) Birth { return birth.Parse(s) }

// BornByAge returns what an age says of a birth: it was in one of two years, as the birthday may be still to come. on is
// the day on which the age was stated. An age below 0 or above 120 says nothing.
func BornByAge(age int, on Birth) Birth { return birth.ByAge(age, on) }

// ExplainBorn is [Explain] with the reason from the births, if any.
func ExplainBorn(a, b *Name, bornA, bornB Birth) []string {
	return withBirth(Explain(a, b), birth.Relate(bornA, bornB))
}

// withBirth appends the reason from the births, if there is one.
func withBirth(reasons []string, t birth.Tie) []string {
	if r := t.Reason(); r != "" {
		return append(reasons, r)
	}
	return reasons
}
