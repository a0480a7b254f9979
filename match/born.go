package match

import (
	"rollcall/match/internal/birth"
)

// CompareBorn is [Compare] with what is known of both births. Unknown births leave the score as it is; conflicting ones
// make it next to nothing.
func CompareBorn(a, b *Name, bornA, bornB Birth) Score {
	s := Compare(a, b)
	if t := birth.Relate(bornA, bornB); t != birth.Unknown {
		return scoreOf(s.LogOdds + even + t.Worth())
	}
	return s
}

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
