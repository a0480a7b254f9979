package match

import (
	"math"

	"rollcall/match/internal/birth"
)

// ParseWatched is [Parse] for the name of a watcher. If it is a surname alone, bookings of that surname are the watched
// person's where a county narrows it, or where the births agree.
func ParseWatched(name string, oneCounty bool) Name {
	n := Parse(name)
	n.narrowed = oneCounty
	return n
}

// CompareWatched is [Compare] for a standing query, with what is known of both births: how likely a booking is the watched person's, in a state where
// every booking meets every watcher. Each word as booked is either the watched word, written that way, or another name;
// how frequent both are says which. The odds that all words fit, times how rare the watched name is, are the score. An
// equal birth date makes up for a name that hardly fits, a conflicting one vetoes.
func CompareWatched(a, b *Name, bornA, bornB Birth) Score {
	tie := birth.Relate(bornA, bornB)
	if tie == birth.Conflict {
		return Score{LogOdds: hopeless}
	}
	v := judgeWatched(a, b, tie)
	if v.a == nil {
		return Score{LogOdds: hopeless}
	}
	logit := float64(v.total) + bookedAtAll + tie.Worth()
	return Score{Probability: min(1/(1+math.Exp(-logit)), 0.9999), LogOdds: logit} // names make nothing certain
}

// ExplainWatched is [ExplainBorn] for a standing query. When births were not compared, the last reason says so and
// which side states none: however alike the names are, it may be a namesake.
func ExplainWatched(a, b *Name, bornA, bornB Birth) []string {
	tie := birth.Relate(bornA, bornB)
	v := judgeWatched(a, b, tie)
	reasons := withBirth(v.reasons(), tie)
	switch {
	case bornA.Year == 0:
		return append(reasons, "birth date not compared, the alert has none: a namesake is possible")
	case bornB.Year == 0:
		return append(reasons, "birth date not compared, the record has none: a namesake is possible")
	}
	return reasons
}

// bookedAtAll is the log-odds that a booking is the watched person's, in the labelled sets and so on this scale.
const bookedAtAll = -12.2

// How often one person's name is written in these ways, as logarithms of probabilities. Those of related words are of the
// one form that was found: a name has few spellings and many slips.
const (
	saidVariant   = -2.5
	saidSpelled   = -4.5
	saidNickname  = -2.0
	saidShared    = -6.5
	saidParticle  = -3.0
	saidSounds    = -6.5
	saidEasyEdit  = -5.5
	saidOneEdit   = -7.5
	saidTwoEdits  = -11.0
	saidTwoNear   = -10.0
	saidCutOff    = -5.0
	saidShortened = -8.0
	saidDoubled   = -4.0
	saidLost      = -5.0
	saidInitial   = 0.5 // beside the frequency of the letter
	saidHalf      = -1.5
	saidTogether  = -0.5
	saidCrosswise = -4.0
	saidByMiddle  = -3.0
	saidOther     = -5.0 // another surname, by marriage or by mistake
	saidOneMiddle = -0.5
	saidAlone     = 4.5 // of a surname that a county or birth narrows: SMITH alone reaches every level
	saidConflict  = -7.0
)

// evidence is what a part of two names says.
type evidence struct {
	// How much more often it is written so for the watched person than for anybody, in nats.
	gain float32
	// The share of all who are written so whose name is another one.
	miss float32
}

// and adds the evidence of another part. Whoever misses in one part misses.
func (e evidence) and(o evidence) evidence {
	return evidence{gain: e.gain + o.gain, miss: e.miss + o.miss - e.miss*o.miss}
}

// score returns the log-likelihood ratio of the watched person against people whose names do not fit.
func (e evidence) score() float32 { return e.gain - float32(math.Log(float64(max(e.miss, leastMiss)))) }

// leastMiss is the share of another name among people written alike; slipped is what one equal word adds to it.
const (
	leastMiss = 2e-4
	slipped   = 1e-4
	// Shares of other people among those whose name is a form of the watched one by a table.
	missVariant = 0.005
	missNick    = 0.02
	missShared  = 0.3
)

// judgeWatched returns the alignment of two names that says most for the watched person.
func judgeWatched(a, b *Name, born birth.Tie) verdict {
	best := verdict{total: hopeless}
	for i := range a.readings {
		for j := range b.readings {
			ra, rb := &a.readings[i], &b.readings[j]
			n := verdict{a: ra, b: rb, surname: compareSurnames(ra, rb, asWatched), alone: ra.givs == 0 && (a.narrowed || born >= birth.Year)}
			if born < birth.Swapped && (n.surname.how == conflict || !n.surname.tie.related()) {
				continue
			}
			n.given, n.middle = compareGivens(ra, rb, asWatched)
			n.suffix = compareSuffix(ra.suffix, rb.suffix)
			if n.surname.how == halfSurname && n.given.how != conflict && evades(ra, rb, n.surname) {
				n.middle = field{score: costDifferent, how: conflict}
			}
			if n.contradicted() && born < birth.OnePart {
				continue
			}
			e := n.surnameEvidence().and(n.givenEvidence()).and(n.middleEvidence()).and(readingEvidence(ra)).and(readingEvidence(rb))
			if n.suffix <= costDifferent {
				e = e.and(evidence{saidConflict, 1})
			}
			if n.total = e.score() + ra.prior + rb.prior; n.total > best.total {
				best = n
			}
		}
	}
	return best
}

// readingEvidence doubts a reading that frequencies only suggest: the plain one is somebody else's name.
func readingEvidence(r *reading) evidence {
	if r.prior == 0 || r.how == asAlias {
		return evidence{}
	}
	d := doubts[r.how]
	return evidence{miss: float32(1 / (1 + math.Exp(float64(d.slope*(r.prior+d.even)))))}
}

// doubt says at which prior a reading is as likely as the plain one, and how fast that changes with the prior.
type doubt struct{ even, slope float32 }

var doubts = [...]doubt{
	asWritten: {3, 1}, asLastFirst: {4, 1.6}, asSwapped: {3.4, 1}, asTwoSurnames: {2, 1.5}, asAlias: {}, asSplit: {3, 1.5},
}

// surnameEvidence returns what the surnames say.
func (v *verdict) surnameEvidence() evidence {
	t := v.surname.tie
	switch v.surname.how {
	case together:
		return evidence{gain: saidTogether + t.rarity, miss: slipped}
	case halfSurname:
		return surnameTie(t).and(evidence{saidHalf, 0.005})
	case crosswise:
		return surnameTie(t).and(surnameTie(v.surname.with)).and(evidence{saidCrosswise, 0})
	case straight:
		e := surnameTie(t)
		if v.surname.with.a != nil {
			e = e.and(surnameTie(v.surname.with))
		}
		return e
	}
	return evidence{saidOther, 1}
}

// surnameTie weighs two surnames by how frequent both are.
func surnameTie(t tie) evidence {
	if t.kind == equal {
		return evidence{gain: min(t.rarity, rarest), miss: slipped}
	}
	if t.a == nil || !t.related() {
		return evidence{saidOther, 1}
	}
	return t.weigh(ownSurname(t.a), ownSurname(t.b))
}

// givenEvidence returns what the given names say.
func (v *verdict) givenEvidence() evidence {
	t := v.given.tie
	switch v.given.how {
	case absent:
		if v.alone {
			return evidence{gain: saidAlone}
		}
		return evidence{-3, 1}
	case together:
		return evidence{gain: saidTogether + t.rarity, miss: slipped}
	case middleAsName:
		return givenTie(t).and(evidence{saidByMiddle, 0.002})
	case crosswise:
		return givenTie(t).and(evidence{saidCrosswise, 0.5})
	case straight:
		return givenTie(t)
	}
	return evidence{saidOther, 1}
}

// givenTie weighs two given names by how frequent both are.
func givenTie(t tie) evidence {
	switch {
	case t.kind == equal:
		return evidence{gain: min(t.rarity, 12), miss: slipped}
	case t.kind == initialOf:
		return evidence{gain: 2.6 + saidInitial, miss: 0.9}
	case t.a == nil || !t.related():
		return evidence{saidOther, 1}
	}
	return t.weigh(ownGiven(t.a), ownGiven(t.b))
}

// middleEvidence returns what the middle names say. That they agree says little of whose name it is and much of who.
func (v *verdict) middleEvidence() evidence {
	t := v.middle.tie
	switch {
	case v.middle.how == oneSided:
		return evidence{gain: saidOneMiddle}
	case v.middle.how == conflict:
		return evidence{saidConflict, 1}
	case v.middle.how == together:
		return evidence{gain: 4}
	case v.middle.how != straight:
		return evidence{}
	case t.kind == initialOf:
		return evidence{gain: 2.2}
	case t.kind == equal:
		return evidence{gain: min(t.rarity, 7) - 0.3}
	}
	return evidence{gain: 2, miss: 0.05}
}

// weigh returns what two related words say. own are -ln of how many are called so from birth. Either side may have the
// slip, so each is the other one written wrongly with a share of all who are written so.
func (t tie) weigh(ownA, ownB float32) evidence {
	said, least := t.said()
	fa, fb := math.Exp(-float64(ownA)), math.Exp(-float64(ownB))
	e := math.Exp(float64(said))
	asA, asB := fa+e*fb, fb+e*fa
	gain := float64(said) + math.Log((fa+fb)/asA/asB)
	miss := fa / asA * fb / asB
	return evidence{gain: float32(gain), miss: min(float32(miss)+slipped, least)}
}

// said returns how often a word is written in the way that ties it to the other, as a logarithm, and how many of those
// written so have another name at most.
func (t tie) said() (said, most float32) {
	switch t.kind {
	case variant:
		if t.cost == costSpelled {
			return saidSpelled, 0.05
		}
		return saidVariant, missVariant
	case nickname:
		return saidNickname, missNick
	case sharedName:
		return saidShared, missShared
	case withoutParticle:
		return saidParticle, missNick
	case soundsLike:
		return saidSounds, 1
	case cutOff:
		return saidCutOff, 1
	case shortened:
		if t.cost == costDoubled {
			return saidDoubled, 0.3
		}
		return saidShortened, 1
	case oneEdit:
		switch {
		case t.a.wild || t.b.wild:
			return saidLost, 0.01
		case t.easy:
			return saidEasyEdit, 1
		}
		return saidOneEdit, 1
	}
	if t.easy {
		return saidTwoNear, 1
	}
	return saidTwoEdits, 1
}

// ownSurname returns -ln of how many have a surname from birth. One that no list holds is one of millions.
func ownSurname(w *word) float32 {
	if w.surname > rarest {
		return unlistedSurname
	}
	return w.surname
}

// ownGiven returns the same of a given name.
func ownGiven(w *word) float32 {
	if w.given >= rarest {
		return unlistedGiven
	}
	return w.given
}

// What a name that no list holds is worth, in nats.
const (
	unlistedSurname = 17
	unlistedGiven   = 16
)
