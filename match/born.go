package match

import (
	"rollcall/match/internal/birth"
)

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
