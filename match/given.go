package match

import "rollcall/match/internal/lexicon"

// Worths and costs of ways to align given names, in nats.
const (
	initialWorth    = 1.5  // a first name agrees with an initial
	middleInitial   = 1.2  // a middle name agrees with an initial
	nothingGiven    = -3.5 // one side has no given name at all
	costMiddleAlone = -0.3 // one side has a middle name, the other none
	costByMiddle    = -3.2
	costCrosswise   = -3.5
)

// compareGivens aligns first and middle names: in order, written together, or in the other order. The alignment with the best
// score counts, since MARYANN is listed as a form of MARY too, and ANN as one of MARY.
func compareGivens(a, b *reading, by scale) (first, middle field) {
	if a.givs == 0 || b.givs == 0 {
		return field{score: nothingGiven, how: absent}, field{}
	}
	t := givenCut(a, b, relateGiven(a.given[0], b.given[0], by))
	first = field{score: givenWorth(0) + costDifferent, how: conflict, tie: t}
	if t.related() {
		first, middle = field{score: givenWorth(t.rarity) + t.cost, how: straight, tie: t}, compareMiddles(a, b, 1, 1)
		if t.kind == initialOf {
			first.score = initialWorth
		}
		if t.kind == equal {
			return first, middle
		}
	}
	if a.givs != b.givs {
		if f, used := givenTogether(a, b); used > 0 {
			long, short := a, b
			if b.givs > a.givs {
				long, short = b, a
			}
			if m := compareMiddles(long, short, used, 1); f.score+m.score > first.score+middle.score {
				first, middle = f, m
			}
		}
	}
	if f := otherOrder(a, b, by); f.how != conflict && f.score > first.score+middle.score {
		first, middle = f, field{}
	}
	return first, middle
}

// givenTogether finds MARYANN beside MARY ANN, and AJ beside A J. used is how many words of the longer side it takes;
// 0: none.
func givenTogether(a, b *reading) (f field, used int) {
	if a.givs > b.givs {
		a, b = b, a
	}
	if b.givs < 2 || b.given[1].Initial() && !b.given[0].Initial() || !lexicon.Joins(a.given[0].Text, b.given[0].Text, b.given[1].Text) {
		return field{}, 0
	}
	t := tie{kind: equal, rarity: min(a.given[0].Given, 12), a: a.given[0], b: b.given[0]}
	return field{score: givenWorth(t.rarity), how: together, tie: t}, 2
}

// givenCut allows for a first name that ends a full column.
func givenCut(a, b *reading, t tie) tie {
	x, y := a.given[0], b.given[0]
	if prefixed(x, y) && (a.endsCut(0) && len(x.Text) < len(y.Text) || b.endsCut(0) && len(y.Text) < len(x.Text)) {
		if cost := costCutOff + wholeName(x, y); cost > t.cost {
			return t.as(cutOff, cost)
		}
	}
	return t
}

// wholeName returns the cost, 0 or below, of the shorter of two words being a name of its own, rather than the longer
// one cut off.
func wholeName(x, y *word) float32 {
	short := x
	if len(y.Text) < len(x.Text) {
		short = y
	}
	switch {
	case short.Given >= 11:
		return 0
	case x.Sex != y.Sex && x.Sex != 'u' && y.Sex != 'u':
		return -8
	}
	return -2
}

// endsCut reports whether the i-th given name may have been cut off.
func (r *reading) endsCut(i int) bool { return r.cut && !r.surnameLast && i == int(r.givs)-1 }

// otherOrder finds people who go by their middle name, if the other side has no other name, and given names in the
// other order.
func otherOrder(a, b *reading, by scale) field {
	if a.givs > b.givs {
		a, b = b, a
	}
	if b.givs < 2 {
		return field{how: conflict}
	}
	t := relateGiven(a.given[0], b.given[1], by)
	if !t.related() || t.kind == initialOf && a.givs == 1 {
		return field{how: conflict}
	}
	if a.givs == 1 {
		return field{score: givenWorth(t.rarity) + t.cost + costByMiddle, how: middleAsName, tie: t}
	}
	u := relateGiven(a.given[1], b.given[0], by)
	if !u.related() || t.kind == initialOf && u.kind == initialOf {
		return field{how: conflict}
	}
	return field{score: givenWorth(min(t.rarity, u.rarity)) + t.cost + u.cost + costCrosswise, how: crosswise, tie: t, with: u}
}

// compareMiddles aligns the given names from the ones at fromA and fromB on. The best pair counts if the other side has each
// name of the side that has fewer. Where both have as many, each needs one on the other side: MARIA GARCIA contradicts
// TRACY GARCIA, and ANN JOHN contradicts ANN A.
func compareMiddles(a, b *reading, fromA, fromB int) field {
	na, nb := int(a.givs)-fromA, int(b.givs)-fromB
	if na <= 0 && nb <= 0 {
		return field{how: absent}
	}
	if na <= 0 || nb <= 0 {
		return field{score: costMiddleAlone, how: oneSided}
	}
	if na > nb {
		a, b, fromA, fromB, na, nb = b, a, fromB, fromA, nb, na
	}
	best, differs := bestMiddle(a, b, fromA, fromB)
	if na == nb && na > 1 && differs.a == nil {
		_, differs = bestMiddle(b, a, fromB, fromA)
	}
	switch {
	case differs.a == nil:
		return best
	case na != nb && middlesTogether(a, b, fromA, fromB):
		return field{score: 2, how: together, tie: tie{kind: equal, a: a.given[fromA], b: b.given[fromB]}}
	}
	return field{score: costDifferent, how: conflict, tie: differs}
}

// bestMiddle returns the best pair of middle names, and the closest tie of the first name of a that b lacks, if there is one.
func bestMiddle(a, b *reading, fromA, fromB int) (best field, differs tie) {
	best = field{score: costDifferent, how: conflict}
	for i := fromA; i < int(a.givs); i++ {
		found := field{score: costDifferent, how: conflict}
		for j := fromB; j < int(b.givs); j++ {
			t := relateGiven(a.given[i], b.given[j], asPair)
			if !t.related() && prefixed(t.a, t.b) && (a.endsCut(i) || b.endsCut(j)) {
				t = t.as(cutOff, costCutOff)
			}
			if score := middleWorth(t); score > found.score {
				found = field{score: score, how: straight, part: uint8(j - fromB), tie: t} //nolint:gosec // one of four given names
			}
			if found.how == conflict && found.tie.a == nil {
				found.tie = t
			}
		}
		if found.how == conflict && differs.a == nil {
			differs = found.tie
		}
		if found.score > best.score {
			best = found
		}
	}
	return best, differs
}

// middleWorth returns what a middle name is worth by its tie: little for an initial, since one letter in ten is shared
// by chance.
func middleWorth(t tie) float32 {
	switch {
	case t.kind == initialOf:
		return middleInitial
	case t.kind == equal:
		return 1 + 0.2*t.rarity
	case t.kind == shortened && !prefixed(t.a, t.b):
		return costDifferent // RANDY is no short form of the middle name BRANDON
	case t.related():
		return max(0, 0.9+0.15*t.rarity+0.6*t.cost)
	}
	return costDifferent
}

// middlesTogether reports whether two middle names on one side are one word on the other.
func middlesTogether(a, b *reading, fromA, fromB int) bool {
	if int(a.givs)-fromA > int(b.givs)-fromB {
		a, b, fromA, fromB = b, a, fromB, fromA
	}
	return lexicon.Joins(a.given[fromA].Text, b.given[fromB].Text, b.given[fromB+1].Text)
}
