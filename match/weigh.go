package match

import (
	"math"

	"rollcall/match/internal/lexicon"
	"rollcall/match/internal/noise"
)

// own returns -ln of how many have a word as their name of a role, with a surname of an origin.
func own(w *word, r lexicon.Role, beside lexicon.Origin) float32 {
	if r == lexicon.Given {
		return known().OwnGiven(w, beside)
	}
	return known().Own(w, r)
}

// written returns -ln of how often a word is written as a name of a role, with a surname of an origin.
func written(w *word, r lexicon.Role, beside lexicon.Origin) float64 {
	if r == lexicon.Given {
		return -float64(known().WrittenGiven(w, beside))
	}
	return -float64(known().Written(w, r))
}

// origin returns where a surname that agrees is from.
func (v *verdict) origin() lexicon.Origin {
	t := v.surname.tie
	switch none := (lexicon.Origin{}); {
	case t.a == nil:
		return none
	case t.a.Origin == none:
		return t.b.Origin
	}
	return t.a.Origin
}

// weigh returns what two related words say as names of a role. Either side may have the slip.
func (t tie) weigh(r lexicon.Role, origin lexicon.Origin) evidence {
	saidA, saidB, others := t.said()
	fa, fb := math.Exp(-float64(own(t.a, r, origin))), math.Exp(-float64(own(t.b, r, origin)))
	asB, asA := math.Exp(float64(saidA)), math.Exp(float64(saidB)) // A written as B, B as A
	allA, allB := max(math.Exp(written(t.a, r, origin)), fa+asA*fb), max(math.Exp(written(t.b, r, origin)), fb+asB*fa)
	gain := math.Log((fa*asB + fb*asA) / allA / allB)
	miss := slipped + others*max(0, float32(1-(fa*fa*asB+fb*fb*asA)/allA/allB))
	if t.kind == twoEdits {
		miss = min(1, miss+missTwoSlips)
	}
	return evidence{gain: float32(gain), miss: miss}
}

// said returns how often the words are written in the way that ties them, a as b and b as a, as a logarithm, and which share of
// those of another name counts as other people. Who was given the other form as a name is mostly a namesake.
func (t tie) said() (asB, asA, others float32) {
	same := func(said, others float32) (float32, float32, float32) { return said, said, others }
	switch t.kind {
	case variant:
		if t.cost == costSpelled {
			return same(saidSpelled, missSpelled)
		}
		return same(saidVariant, missVariant)
	case nickname:
		return same(saidNickname, missNick)
	case sharedName:
		return same(saidShared, missShared)
	case withoutParticle:
		if t.a.Apart || t.b.Apart {
			return same(saidParticle, missApart)
		}
		return same(saidParticle, 1)
	case cutOff:
		return same(saidCutOff, 1)
	case shortened:
		if t.cost == costDoubled {
			return same(saidDoubled, missDoubled)
		}
		return same(saidShortened, 1)
	case soundsLike:
		asB, asA = noise.Written(t.a.Text, t.b.Text), noise.Written(t.b.Text, t.a.Text)
		return max(asB, saidSounds), max(asA, saidSounds), 1
	}
	asB, asA = noise.Written(t.a.Text, t.b.Text), noise.Written(t.b.Text, t.a.Text)
	if t.a.Wild || t.b.Wild {
		asB, asA = asB-lexicon.Lost, asA-lexicon.Lost
	}
	return asB, asA, 1
}

// initialTie is what an initial says.
func initialTie(t tie, origin lexicon.Origin) evidence {
	name, share := t.a, initialShare(t)
	if name.Initial() {
		name = t.b
	}
	e := evidence{gain: saidInitial - float32(math.Log(float64(share))), miss: missLetter}
	if !name.Initial() {
		e.miss = max(leastLetter, 1-float32(math.Exp(-float64(known().OwnGiven(name, origin))))/share)
	}
	return e
}

// initialShare returns the share of given names that begin with the letter of an initial.
func initialShare(t tie) float32 {
	if t.a.Initial() {
		return known().Initial(t.a.Text[0])
	}
	return known().Initial(t.b.Text[0])
}
