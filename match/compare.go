package match

import (
	"math"

	"rollcall/match/internal/lexicon"
	"rollcall/match/internal/token"
)

// Score is how likely two names are the same person's.
type Score struct {
	// Probability is calibrated, from 0 to 1; [Level] says what to do with it.
	Probability float64
	// LogOdds is the evidence before calibration, in nats. It adds up with other evidence about the same two people.
	LogOdds float64
}

// Compare scores two names. It is symmetric, allocates nothing, and takes the best pair of readings. docs/matching.md
// says what counts and how much.
func Compare(a, b *Name) Score {
	if a.order(b) > 0 {
		a, b = b, a // so that no rule can depend on which is named first
	}
	v := judge(a, b)
	return scoreOf(float64(v.total))
}

// Calibration of evidence to probability, fitted on the labelled generator (see TestCalibration); even is the evidence
// that leaves both equally likely.
const (
	even  = 9.6
	slope = 1.15
	// hopeless is the evidence of names with nothing in common.
	hopeless = -40
	// contradiction bounds the evidence of names that contradict each other.
	contradiction = even - 6
)

// scoreOf turns a sum of evidence, in nats, into a score. The slope was fitted on the labelled pairs, so that 0.9 is
// right nine times in ten.
func scoreOf(total float64) Score {
	logit := total - even
	return Score{Probability: 1 / (1 + math.Exp(-slope*logit)), LogOdds: logit}
}

// verdict is the best alignment of two names, from which the reasons are made.
type verdict struct {
	// Sum of the parts, in nats.
	total float32
	// The readings that were aligned; nil where no surname agrees.
	a, b *reading
	// What each part contributes.
	surname field
	given   field
	middle  field
	suffix  float32
	// The watched name is a surname alone, which is enough here.
	alone bool
}

// field is what one part of the names contributes.
type field struct {
	// In nats.
	score float32
	// How the part was aligned, for the reasons.
	how alignment
	// Of halfSurname: which surname agrees.
	part uint8
	// The closest pair of words.
	tie tie
	// The other pair, where both names have two surnames.
	with tie
}

// alignment is which words of a part were compared with each other.
type alignment uint8

const (
	absent alignment = iota
	straight
	together     // two words of one are written as one in the other
	crosswise    // both words agree, in the other order
	halfSurname  // one surname of two, the other is absent
	middleAsName // goes by the middle name
	oneSided     // only one of the names has this part
	conflict
)

// contradicted reports whether one part speaks against the same person; then no rarity of the other parts makes up for
// it.
func (v *verdict) contradicted() bool {
	return v.surname.how == conflict || v.given.how == conflict || v.middle.how == conflict || v.suffix <= costDifferent
}

// mostAdded is the most that given names and suffix can add to a surname. It bounds which readings are worth comparing.
const mostAdded = 13

// judge compares each reading of one name with each of the other and returns the best alignment.
func judge(a, b *Name) verdict {
	best := verdict{total: hopeless}
	for i := range a.readings {
		for j := range b.readings {
			ra, rb := &a.readings[i], &b.readings[j]
			prior := ra.prior + rb.prior
			if best.total > prior+rarestSurname+mostAdded {
				continue
			}
			s := compareSurnames(ra, rb, asPair)
			if s.score < -4 || best.total > prior+s.score+mostAdded {
				continue
			}
			best.consider(ra, rb, s)
		}
	}
	return best
}

// consider completes the alignment of two readings whose surnames agree, and keeps it if it is the best so far.
func (v *verdict) consider(a, b *reading, s field) {
	n := verdict{a: a, b: b, surname: s}
	n.given, n.middle = compareGivens(a, b, asPair)
	if s.how == halfSurname && n.given.how != conflict && evades(a, b, s) {
		n.middle = field{score: costDifferent, how: conflict}
	}
	n.suffix = compareSuffix(a.suffix, b.suffix)
	n.total = a.prior + b.prior + s.score + n.given.score + n.middle.score + n.suffix
	if n.contradicted() {
		n.total = min(n.total, contradiction)
	}
	if n.total > v.total {
		*v = n
	}
}

// surnameWorth returns the evidence of agreement on a surname of that rarity. Counting all of -ln f would let a rare
// surname outweigh a different given name, which in a family it must not. A third of it is what remains after
// independent errors and names shared in a family.
func surnameWorth(rarity float32) float32 { return 5.9 + 0.28*min(rarity, lexicon.Rarest) }

// givenWorth returns the evidence of agreement on a given name: more for a rare one, up to a bound.
func givenWorth(rarity float32) float32 { return 4.6 + 0.25*min(rarity, 12) }

// rarestSurname is what agreement on the lexicon.Rarest surname is worth.
const rarestSurname = 5.9 + 0.28*lexicon.Rarest

// related reports whether a tie speaks for the same name at all.
func (t tie) related() bool { return t.kind > opposite }

// compareSurnames compares one or two surnames on each side.
func compareSurnames(a, b *reading, by scale) field {
	if a.surs > b.surs {
		a, b = b, a
	}
	if b.surs == 1 {
		t := relateSurname(a.surname[0], b.surname[0], by)
		if t.kind != equal && (apostropheApart(a, b) || apostropheApart(b, a)) {
			return field{score: surnameWorth(lexicon.Rarest) - 1, how: together, tie: t.as(equal, 0)}
		}
		t = surnameCut(a, b, t)
		return field{score: surnameWorth(t.rarity) + t.cost, how: straight, tie: t}
	}
	if a.surs == 1 {
		return halfOfSurname(a, b, by)
	}
	return bothSurnames(a, b, by)
}

// apostropheApart finds BILLY D SALGADO, who is D'SALGADO elsewhere.
func apostropheApart(a, b *reading) bool {
	if a.givs < 2 {
		return false
	}
	switch mark := a.given[a.givs-1].Text; mark {
	case "d", "l", "o":
		return lexicon.Joins(b.surname[0].Text, mark, a.surname[0].Text)
	}
	return false
}

// surnameCut allows for a surname that ends a full column.
func surnameCut(a, b *reading, t tie) tie {
	x, y := a.surname[a.surs-1], b.surname[b.surs-1]
	cutA := a.cut && a.surnameLast && len(x.Text) < len(y.Text)
	cutB := b.cut && b.surnameLast && len(y.Text) < len(x.Text)
	if (cutA || cutB) && prefixed(x, y) && min(len(x.Text), len(y.Text)) >= 3 {
		short := x
		if len(y.Text) < len(x.Text) {
			short = y
		}
		cost := costCutOff - 1 - 1.5*max(0, lexicon.OwnName-short.Surname) // WOOD in a full column is hardly WOODS
		if cost < t.cost {
			return t
		}
		return t.as(cutOff, cost)
	}
	return t
}

// halfOfSurname aligns the one surname of a with the two or three of b.
func halfOfSurname(a, b *reading, by scale) field {
	x := a.surname[0]
	for i := range int(b.surs) - 1 {
		if lexicon.Joins(x.Text, b.surname[i].Text, b.surname[i+1].Text) {
			t := tie{kind: equal, rarity: lexicon.Rarest, a: x, b: b.surname[i]}
			return field{score: surnameWorth(lexicon.Rarest), how: together, tie: t}
		}
	}
	best := field{score: costDifferent, how: conflict}
	for i := range int(b.surs) {
		t := relateSurname(x, b.surname[i], by)
		score := surnameWorth(t.rarity) + t.cost - 1
		if i > 0 {
			score -= 0.4
		}
		if score > best.score {
			best = field{score: score, how: halfSurname, part: uint8(i), tie: t}
		}
	}
	return best
}

// bothSurnames aligns two double surnames. All parts of the shorter one must be found, in order or crosswise.
func bothSurnames(a, b *reading, by scale) field {
	t0, t1 := relateSurname(a.surname[0], b.surname[0], by), relateSurname(a.surname[1], b.surname[1], by)
	if !t1.related() && a.surs == b.surs {
		t1 = surnameCut(a, b, t1)
	}
	if t0.related() && t1.related() {
		weak, other := t0, t1
		if t1.cost < t0.cost {
			weak, other = t1, t0
		}
		return field{score: surnameWorth(t0.rarity+t1.rarity) + t0.cost + t1.cost, how: straight, tie: weak, with: other}
	}
	x0, x1 := relateSurname(a.surname[0], b.surname[1], by), relateSurname(a.surname[1], b.surname[b.surs-1], by)
	if b.surs == 2 {
		x1 = relateSurname(a.surname[1], b.surname[0], by)
	}
	// Two names of three surnames have no other order: whose first is the other's second would depend on who is asked first.
	if a.surs == 2 && x0.related() && x1.related() {
		return field{score: surnameWorth(x0.rarity+x1.rarity) + x0.cost + x1.cost - 2.5, how: crosswise, tie: x0, with: x1}
	}
	if t0.related() {
		t1 = t1.as(t1.kind, costDifferent)
	}
	return field{score: costDifferent, how: conflict, tie: t1}
}

// evades reports whether half a surname that agrees hides a middle word that is a surname, or is guessed to be one. RAUL
// TORRES ZELAYA is no MARTINEZ ZELAYA, and HAYES LEON MARSHALL no HAYES JAMES MARSHALL.
func evades(a, b *reading, s field) bool {
	if a.surs > b.surs {
		a, b = b, a
	}
	if a.givs < 2 {
		return false
	}
	guess := uint8(1)
	if b.surnameLast {
		guess = 0
	}
	guessed := b.how == asTwoSurnames && s.part != guess
	for i := 1; i < int(a.givs); i++ {
		g := a.given[i]
		for k := range b.surs {
			if k != s.part && (guessed && k == guess && relateGiven(g, b.surname[k], asPair).related() || relateSurname(g, b.surname[k], asPair).related()) {
				return false
			}
		}
		if !g.Initial() && known().LeansGiven(g, a.surname[0].Origin) < likelyFamily {
			return true
		}
	}
	return guessed
}

// likelyFamily is how a word leans, in nats, that is a surname when it stands before one.
const likelyFamily = -2

// compareSuffix weighs JR against SR heavily, as they are father and son, and a missing suffix hardly.
func compareSuffix(a, b token.Suffix) float32 {
	switch {
	case a == b:
		return min(1, float32(a))
	case a == token.None || b == token.None:
		return -0.4
	case a == token.Junior && b == token.Second || a == token.Second && b == token.Junior:
		return 0.3
	}
	return costDifferent
}
