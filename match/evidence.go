package match

import (
	"math"

	"rollcall/match/internal/lexicon"
)

// How often one person's name is written in these ways, as logarithms of probabilities. Those of related words are of the
// one form that was found: a name has few spellings. They were set on the fitting half of the labelled bookings; those of
// ways that only the other half has were estimated.
const (
	saidVariant   = -3.2
	saidSpelled   = -4.5
	saidNickname  = lexicon.Shortened
	saidShared    = -6.5
	saidParticle  = -3.7
	saidSounds    = -7.2
	saidCutOff    = -5.7
	saidShortened = -8.7
	saidDoubled   = -4
	saidInitial   = 1.2 // beside the frequency of the letter
	saidHalf      = -2.2
	saidTogether  = -0.5
	saidCrosswise = -4
	saidByMiddle  = -3
	saidOther     = -5 // another surname, by marriage or by mistake
	saidOneMiddle = -1.2
	saidSkipped   = -2.2 // a middle name that the other side lacks stands before the one that agrees
	saidAlone     = 4.5  // of a surname that a county or birth narrows: SMITH alone reaches every level
	saidConflict  = -7
	saidOtherSex  = -2.5
)

// How much agreement on a name says at most, as families share rare surnames and people middle names.
const (
	mostSurname    = 15
	mostKin        = 10.5 // beside two forms of one name
	mostGiven      = 12
	mostMiddle     = 7.7
	agreedMiddle   = -0.3 // less than of a first name
	gainMiddleSlip = 2.7
)

// Shares of other people among those whose name is a form of the watched one. In weigh they are shares of those who have the
// other form from birth, of whom there are the more, the more frequent it is.
const (
	missVariant    = 0.0025
	missSpelled    = 0.2
	missNick       = 0.08
	missShared     = 1
	missDoubled    = 1
	missApart      = 0.05 // CRUZ for DE LA CRUZ, where the particle stands apart
	missTogether   = 0.0001
	missHalf       = 0.002
	missByMiddle   = 0.002
	missSkipped    = 0.6
	missMiddleSlip = 0.05
	missCrosswise  = 0.5
	missLetter     = 0.45 // of two initials
	missTwoSlips   = 0.02 // a third name, two slips from what is written: names around a word are counted one slip away
	leastLetter    = 0.1
	leastMiss      = 0.0002
	slipped        = 0.0002 // is what one equal word adds
)

// usuallyMiddle is how much less a word between a first name and a surname is a surname than elsewhere, in nats.
const usuallyMiddle = 3

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
		return evidence{gain: saidTogether + t.rarity, miss: missTogether}
	case halfSurname:
		return surnameTie(t).and(evidence{saidHalf, missHalf + v.hiddenSurname()})
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
		return evidence{gain: min(known().Own(t.a, lexicon.Surname), mostSurname), miss: slipped}
	}
	if t.a == nil || !t.related() {
		return evidence{saidOther, 1}
	}
	return t.weigh(lexicon.Surname, lexicon.Origin{})
}

// besideForm bounds what surnames say beside two forms of one name, neither of which is short for the other: the rarer a
// surname, the likelier those who have it are brothers, KEN and KENNY.
func (v *verdict) besideForm(surname evidence) evidence {
	if v.given.tie.kind == sharedName {
		surname.gain = min(surname.gain, mostKin)
	}
	return surname
}

// givenEvidence returns what the given names say.
func (v *verdict) givenEvidence() evidence {
	t, origin := v.given.tie, v.origin()
	switch v.given.how {
	case absent:
		if v.alone {
			return evidence{gain: saidAlone}
		}
		return evidence{-3, 1}
	case together:
		return evidence{gain: saidTogether + t.rarity, miss: missTogether}
	case middleAsName:
		return givenTie(t, origin).and(evidence{saidByMiddle, missByMiddle})
	case crosswise:
		return givenTie(t, origin).and(evidence{saidCrosswise, missCrosswise})
	case straight:
		return givenTie(t, origin)
	}
	return evidence{saidOther, 1}
}

// givenTie weighs two given names by how frequent both are.
func givenTie(t tie, origin lexicon.Origin) evidence {
	switch {
	case t.kind == equal:
		return evidence{gain: min(known().OwnGiven(t.a, origin), mostGiven), miss: slipped}
	case t.kind == initialOf:
		return initialTie(t, origin)
	case t.a == nil || !t.related():
		return evidence{saidOther, 1}
	}
	return t.weigh(lexicon.Given, origin)
}

// middleEvidence returns what the middle names say. That they agree says little of whose name it is and much of who.
func (v *verdict) middleEvidence() evidence {
	t, origin := v.middle.tie, v.origin()
	if v.middle.how == straight && v.middle.part > 0 {
		return middleTie(t, origin).and(evidence{saidSkipped, missSkipped})
	}
	switch {
	case v.middle.how == oneSided:
		return evidence{gain: saidOneMiddle}
	case v.middle.how == conflict:
		return evidence{saidConflict, 1}
	case v.middle.how == together:
		return evidence{gain: 4}
	case v.middle.how != straight:
		return evidence{}
	}
	return middleTie(t, origin)
}

// sexEvidence doubts given names that agree in part where another name of one side is of the other sex: all names of a person are
// of one. J CHERYL SANTIAGO is hardly JOSHUA.
func (v *verdict) sexEvidence() evidence {
	if v.given.how == conflict || v.given.tie.kind == equal && v.given.how != middleAsName {
		return evidence{}
	}
	if a, b := v.a.sex(), v.b.sex(); a != b && a != 'u' && b != 'u' {
		return evidence{gain: saidOtherSex}
	}
	return evidence{}
}

// sex returns the sex of which the given names are, 'u' where they do not agree or no table says it.
func (r *reading) sex() byte {
	sex := byte('u')
	for _, w := range r.given[:r.givs] {
		switch {
		case w.Initial() || w.Sex == 'u' || w.Sex == sex:
		case sex == 'u':
			sex = w.Sex
		default:
			return 'u'
		}
	}
	return sex
}

// middleTie weighs two middle names.
func middleTie(t tie, origin lexicon.Origin) evidence {
	switch t.kind {
	case initialOf:
		return evidence{gain: -float32(math.Log(float64(initialShare(t))))}
	case equal:
		return evidence{gain: min(known().OwnGiven(t.a, origin), mostMiddle) + agreedMiddle}
	}
	return evidence{gain: gainMiddleSlip, miss: missMiddleSlip}
}

// hiddenSurname returns how likely a middle name of the side with one surname is another surname, which the other side lacks.
func (v *verdict) hiddenSurname() float32 {
	r := v.a
	if v.b.surs < r.surs {
		r = v.b
	}
	none := float32(1)
	for _, w := range r.given[1:max(1, r.givs)] {
		if !w.Initial() {
			none *= float32(1 - 1/(1+math.Exp(float64(known().Own(w, lexicon.Surname)-known().OwnGiven(w, v.origin())+usuallyMiddle))))
		}
	}
	return 1 - none
}
