package match

import (
	"math"

	"rollcall/match/internal/birth"
)

// CompareWatched is [CompareBorn] for a standing query: how likely a booking is the watched person's, in a state where
// every booking meets every watcher. Two names that agree word for word count as they do in a pair. A name that is
// written differently is weighed against how many others are written so by chance. KELLY for KELLEY says little, for
// both are many; KELLLEY, which is nobody's name, says nearly as much as KELLEY.
func CompareWatched(a, b *Name, bornA, bornB Birth) Score {
	v := judge(a, b)
	if v.a == nil {
		return Score{LogOdds: hopeless, Probability: 0}
	}
	logit := float64(v.total+v.byChance()) - evenWatched + birth.Relate(bornA, bornB).Worth()
	return Score{Probability: 1 / (1 + math.Exp(-logit)), LogOdds: logit}
}

// ExplainWatched is [ExplainBorn] for a standing query. When births were not compared, the last reason says so and
// which side states none: however alike the names are, it may be a namesake.
func ExplainWatched(a, b *Name, bornA, bornB Birth) []string {
	reasons := ExplainBorn(a, b, bornA, bornB)
	switch {
	case bornA.Year == 0:
		return append(reasons, "birth date not compared, the alert has none: a namesake is possible")
	case bornB.Year == 0:
		return append(reasons, "birth date not compared, the record has none: a namesake is possible")
	}
	return reasons
}

// Amounts of byChance in nats. They were fitted by logistic regression on the labelled standing bookings of the
// training half. The slopes follow theory: what a slip says grows with the rarity of the rarer form.
const (
	evenWatched     = 7.8
	wordForWord     = 2.6  // what both names agreeing word for word is worth over any other agreement
	rareSurname     = 1.0  // a nat of rarity of the rarer form of a surname
	rareSound       = 0.4  // the same, more, where the two sound alike
	commonSurname   = -0.3 // a nat of rarity of the commoner form
	besideSurname   = 0.28 // a nat of rarity of a first name that agrees beside another form of a surname
	rareGiven       = 0.37 // a nat of rarity of the rarer form of a first name
	besideGiven     = 0.22 // a nat of rarity of the surname beside another form of a first name
	besideInitial   = 0.35 // the same beside an initial
	halfOfRare      = 0.42 // a nat of rarity of the one of two surnames that agrees
	halfBesideRare  = 0.7  // a nat of rarity of the first name beside it
	guessedReading  = 0.3  // what a nat of a reading's prior says once more
	middlesAgree    = 3.4
	middleInitials  = 1.7
	twoInitials     = 0.7
	middlesLike     = 1.8
	oneMiddle       = -1.1
	likelySurname   = 11 // rarities from which the slopes are counted
	usualSurname    = 9
	usualGiven      = 9
	usualFirstGiven = 8
	frequentGiven   = 7
)

// byChance returns the correction of the evidence by how many other people show the same by chance.
func (v *verdict) byChance() float32 {
	sum, exact := v.surnameByChance()
	given, exactGiven := v.givenByChance()
	if exactGiven && !exact && v.surname.how == straight {
		sum += besideSurname * (min(v.given.tie.rarity, 12) - frequentGiven)
	}
	sum += given + v.middleByChance() + guessedReading*(v.a.prior+v.b.prior)
	if !exact || !exactGiven {
		sum -= wordForWord
	}
	return sum
}

// surnameByChance returns it for the surname, in nats; exact reports that the surnames agree word for word.
func (v *verdict) surnameByChance() (sum float32, exact bool) {
	t := v.surname.tie
	if v.surname.how == halfSurname {
		return 1.1 + halfOfRare*(t.rarity-usualSurname) + halfBesideRare*(v.given.tie.rarity-usualFirstGiven), false
	}
	if v.surname.how != straight || t.kind == equal || t.a == nil {
		return 0, true
	}
	rarer, commoner := max(t.a.surname, t.b.surname), min(t.a.surname, t.b.surname)
	sum = rareSurname*(rarer-likelySurname) + commonSurname*(commoner-usualFirstGiven)
	switch t.kind {
	case variant, withoutParticle:
		sum -= 2.2
	case soundsLike:
		sum += rareSound*(rarer-likelySurname) - 4.6
	case cutOff:
		sum -= 2.2
	default:
		sum -= 3.8
	}
	return min(sum, 0.5), false
}

// givenByChance returns it for the given name, beside a surname that agrees.
func (v *verdict) givenByChance() (sum float32, exact bool) {
	t, rare := v.given.tie, v.surname.tie.rarity
	switch {
	case t.a == nil || v.given.how == absent:
		return 0, false
	case t.kind == initialOf:
		return 2 + besideInitial*(rare-usualSurname), false
	case t.kind == equal && v.given.how != middleAsName:
		return 0, true
	}
	sum = rareGiven*(max(t.a.given, t.b.given)-usualGiven) + besideGiven*(rare-usualSurname)
	switch {
	case v.given.how == middleAsName:
		sum -= 1.8
	case v.given.how == crosswise:
		sum -= 2
	case t.kind == shortened && t.cost >= costDoubled:
	case t.kind == variant || t.kind == shortened:
		sum -= 1.3
	case t.kind == soundsLike:
		sum -= 1.7
	case t.kind == sharedName || t.kind == twoEdits:
		sum -= 0.6
	}
	return sum, false
}

// middleByChance returns it for the middle name.
func (v *verdict) middleByChance() float32 {
	switch {
	case v.middle.how == oneSided:
		return oneMiddle
	case v.middle.how != straight || v.middle.score <= 0:
		return 0
	case v.middle.tie.kind == initialOf && v.given.tie.kind == initialOf:
		return twoInitials
	case v.middle.tie.kind == initialOf:
		return middleInitials
	case v.middle.tie.kind == equal:
		return middlesAgree
	}
	return middlesLike
}
