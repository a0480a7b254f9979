package match

import (
	"rollcall/match/internal/birth"
)

// costSwapped is the cost, in nats, of reading first and last name as exchanged though no frequency says so. Only an
// equal birth date makes up for it: without one, JAMES THOMAS and THOMAS JAMES are two people.
const costSwapped = -4.5

// judgeSwapped reads first and last name of a in the other order, and returns the better alignment.
func judgeSwapped(a, b *Name, v verdict) verdict {
	var swapped [maxReadings]reading
	n := 0
	for i := range a.readings {
		r := a.readings[i]
		if r.surs != 1 || r.givs == 0 || r.given[0].Initial() || r.how == asSwapped {
			continue
		}
		r.surname[0], r.given[0], r.how = r.given[0], r.surname[0], asSwapped
		r.prior += costSwapped
		swapped[n] = r
		n++
	}
	if n == 0 {
		return v
	}
	if x := judge(&Name{readings: swapped[:n]}, b); x.a != nil && !x.contradicted() && x.total > contradiction {
		return x
	}
	return v
}

// explainLink is [ExplainBorn] for what tryLink weighed.
func explainLink(a, b *Name, bornA, bornB Birth) []string {
	v := judge(a, b)
	tie := birth.Relate(bornA, bornB)
	if tie >= birth.Swapped && (v.a == nil || v.contradicted()) {
		v = judgeSwapped(a, b, v)
	}
	return withBirth(v.reasons(), tie)
}
