package match

import (
	"math"

	"rollcall/match/internal/birth"
)

// Confidence is how sure a link is (SPEC.md, "Roster detail record").
type Confidence uint8

// The confidences of a link; NoLink means none.
const (
	NoLink Confidence = iota
	Low
	Medium
	High
)

// String returns the contract's word, empty for no link.
func (c Confidence) String() string {
	return [...]string{"", "low", "medium", "high"}[c]
}

// Record is a corrections record to link bookings to.
type Record struct {
	// ID names the record in a Link.
	ID   string
	Name Name
	// Born is the zero Birth where none is known; then a link is at most low.
	Born Birth
}

// Link is the corrections record that is most likely the booked person's. The zero Link is none.
type Link struct {
	// RecordID is that of the Record; empty for no link.
	RecordID string
	// Confidence is NoLink, Low, Medium or High.
	Confidence Confidence
	// Probability is that of the link being right.
	Probability float64
	// Margin is the lead over the next best record, in nats; infinite without one.
	Margin float64
	// Reasons are in the order of their weight, the weightiest first.
	Reasons []string
}

// Linkage rules (MATCHING "Design" 7), in nats where not said otherwise.
const (
	highProbability   = 0.99
	mediumProbability = 0.90
	lowProbability    = 0.50
	// tieMargin is the lead over the runner-up below which there is no link, clearMargin the one that high asks for.
	tieMargin   = 1.0
	clearMargin = 2.5
	// sureSlip is the evidence that high asks for when one part of the birth date differs: two people of one name whose
	// births are that near are more than one would think.
	sureSlip = 6
	// someoneKnown is the log-odds that a booked person has a record at all.
	someoneKnown = -0.7
	// rarestBonus bounds what rare names can say, for families share them.
	rarestBonus = 5.0
)

// Best links a booking to one of a few candidate records, out of population records in all. Agreement by chance grows
// with the population; 0 means the number of candidates. Conflicting births veto, no birth evidence is at most low, a
// year only is at most medium, and ties make no link: a wrong link shows a stranger's prison record beside a booking.
func Best(b *Booking, candidates []Record, population int) Link {
	k, t := best(b, candidates, population)
	if k.Confidence == Low {
		k.Reasons = append(k.Reasons, t.whyLow(b.Born, candidates[t.at].Born, jail, stateRecord)...)
	}
	return k
}

// best is Best without why a link is only low.
func best(b *Booking, candidates []Record, population int) (Link, trial) {
	var best, next trial
	for i := range candidates {
		r := &candidates[i]
		t := tryLink(&b.Name, &r.Name, b.Born, r.Born, max(population, len(candidates)))
		t.at = i
		best, next = ranked(best, next, t)
	}
	if best.confidence(next) == NoLink {
		return Link{}, trial{}
	}
	r := &candidates[best.at]
	return best.link(next, r.ID, explainLink(&b.Name, &r.Name, b.Born, r.Born)), best
}

// trial is the evidence for one pair.
type trial struct {
	// False: the pair conflicts, or nothing in it agrees.
	tried bool
	// Index of the record in its list.
	at int
	// In nats; 0 is an even chance.
	logit float64
	birth birth.Tie
	// The names contradict each other.
	conflict bool
	// Middle names or their initials agree.
	middle bool
	// The first names agree only in a way in which those of twins do as well.
	weak bool
}

// ranked returns the best two of three trials.
func ranked(best, next, t trial) (first, second trial) {
	switch {
	case !t.tried:
		return best, next
	case !best.tried || t.logit > best.logit:
		return t, best
	case !next.tried || t.logit > next.logit:
		return best, t
	}
	return best, next
}

// tryLink weighs one pair: what the names say, what the births say, and how many of the population would agree on these
// names by chance.
func tryLink(a, b *Name, bornA, bornB Birth, population int) trial {
	tie := birth.Relate(bornA, bornB)
	if tie == birth.Conflict {
		return trial{}
	}
	v := judge(a, b)
	if tie >= birth.Swapped && (v.a == nil || v.contradicted()) {
		v = judgeSwapped(a, b, v)
	}
	if v.a == nil || v.given.how == conflict || v.surname.how == conflict {
		return trial{}
	}
	rare := min(v.rarity()-math.Log(float64(max(population, 2))), rarestBonus)
	logit := someoneKnown + tie.Worth() + rare + v.penalty()
	weak := v.given.how == middleAsName || v.given.how == absent || v.given.tie.kind < oneEdit
	middle := v.middle.how == straight && v.middle.score > 0
	return trial{tried: true, logit: logit, birth: tie, conflict: v.contradicted(), middle: middle, weak: weak}
}

// rarity returns -ln of how many people share what agrees.
func (v *verdict) rarity() float64 {
	r := v.surname.tie.rarity
	switch v.given.tie.kind {
	case initialOf:
		r += 2.5
	default:
		r += min(v.given.tie.rarity, 10)
	}
	if v.middle.how == straight && v.middle.score > 0 {
		if v.middle.tie.kind == initialOf {
			r += 2.3
		} else {
			r += min(v.middle.tie.rarity, 5)
		}
	}
	if v.suffix > 0 {
		r += 2
	}
	return float64(r)
}

// penalty returns what the names cost against agreeing word for word: the log of how often one person's name is written
// in these two ways.
func (v *verdict) penalty() float64 {
	p := v.a.prior + v.b.prior + v.surname.score - surnameWorth(v.surname.tie.rarity) + min(0, v.middle.score) + min(0, v.suffix)
	switch {
	case v.given.tie.kind == initialOf:
		p -= 2
	case v.given.how != absent:
		p += v.given.score - givenWorth(v.given.tie.rarity)
	default:
		p -= 4
	}
	return float64(min(0, p))
}

// probability returns the chance that both are one person, without looking at rivals.
func (t trial) probability() float64 { return 1 / (1 + math.Exp(-t.logit)) }

// confidence applies the rules of docs/matching.md to the best trial and the runner-up.
func (t trial) confidence(next trial) Confidence {
	p := t.probability()
	margin := t.margin(next)
	if !t.tried || p < lowProbability || margin < tieMargin {
		return NoLink
	}
	dated := t.birth >= birth.OnePart
	switch {
	case t.conflict || t.birth == birth.Unknown:
		return Low
	case p >= highProbability && dated && !t.weak && margin >= clearMargin && (t.birth > birth.OnePart || t.middle || t.logit >= sureSlip):
		return High
	case p >= mediumProbability && t.birth >= birth.Year:
		return Medium
	}
	return Low
}

// margin returns by how much the best leads the next, in nats; without a rival it is infinite.
func (t trial) margin(next trial) float64 {
	if !next.tried {
		return math.Inf(1)
	}
	return t.logit - next.logit
}

// link returns the link of a trial.
func (t trial) link(next trial, id string, reasons []string) Link {
	return Link{RecordID: id, Confidence: t.confidence(next), Probability: t.probability(), Margin: t.margin(next), Reasons: reasons}
}
