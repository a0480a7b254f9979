package match

import (
	"slices"
	"strings"
	"unicode"

	"rollcall/match/internal/birth"
	"rollcall/match/internal/offense"
)

// Case is what a court reports of a defendant.
type Case struct {
	Name Name
	// Born is the zero Birth for most cases: courts seldom publish it.
	Born Birth
	// Offenses are as the court words them, with statutes.
	Offenses []string
	// Booking is the booking number that the court names; empty for most cases.
	Booking string
}

// Stay is a booking in the county of a case.
type Stay struct {
	Name Name
	Born Birth
	// Charges are as the jail words them.
	Charges []string
	// Numbers are what the jail's sources call the booking.
	Numbers []string
}

// CaseLink links a case to one of the stays that were compared.
type CaseLink struct {
	// At is the index of the stay in the list that was passed.
	At int
	// Confidence is never NoLink in a result of LinkCase.
	Confidence Confidence
	// Probability is that of both being one person, before rivals are considered.
	Probability float64
	// Reasons are in the order of their weight, the weightiest first.
	Reasons []string
}

const (
	// countyPeople stands for the people whom the jail of a county has seen. It is the same for every county: a link
	// must not change because others were booked.
	countyPeople = 1 << 15
	// sameOffense is the evidence, in nats, that case and booking are about one offense.
	sameOffense = 2.0
	// sameNumber is the evidence of an equal booking number.
	sameNumber = 12.0
)

// LinkCase returns the stays of the defendant among those of the case's county, in the order of stays. Corroboration is
// an equal birth date, or the booking number that the court names. Without it a link needs an offense in common and is
// low. Conflicting births and names veto, and two people who fit equally well make no link: showing a case with the
// wrong person is worse than showing none.
func LinkCase(c *Case, stays []Stay) []CaseLink {
	trials := make([]courtTrial, 0, len(stays))
	best := -1
	for i := range stays {
		t := c.try(&stays[i])
		if !t.tried {
			continue
		}
		t.at = i
		trials = append(trials, t)
		if best < 0 || t.logit > trials[best].logit {
			best = len(trials) - 1
		}
	}
	if best < 0 {
		return nil
	}
	who := &stays[trials[best].at]
	var rival trial
	for _, t := range trials {
		if !samePerson(who, &stays[t.at]) && (!rival.tried || t.logit > rival.logit) {
			rival = t.trial
		}
	}
	var links []CaseLink
	for _, t := range trials {
		if s := &stays[t.at]; samePerson(who, s) {
			if k := t.link(rival); k.Confidence != NoLink {
				k.Reasons = append(t.reasons(c, s), t.whyOnly(k.Confidence, c, s)...)
				links = append(links, k)
			}
		}
	}
	return links
}

// courtTrial is the evidence for a case and a stay.
type courtTrial struct {
	trial
	// They have an offense in common.
	offense bool
	// The court names the booking.
	number bool
}

// try weighs a stay. The trial of conflicting births or names is the zero one.
func (c *Case) try(s *Stay) courtTrial {
	t := courtTrial{trial: tryLink(&c.Name, &s.Name, c.Born, s.Born, countyPeople)}
	if !t.tried || t.conflict {
		return courtTrial{}
	}
	if t.number = numbered(c.Booking, s.Numbers); t.number {
		t.logit += sameNumber
	}
	if t.offense = offense.Common(c.Offenses, s.Charges); t.offense {
		t.logit += sameOffense
	}
	return t
}

// samePerson reports whether two stays may be one person's.
func samePerson(a, b *Stay) bool {
	if a == b {
		return true
	}
	v := judge(&a.Name, &b.Name)
	return birth.Relate(a.Born, b.Born) != birth.Conflict && v.a != nil && !v.contradicted()
}

// link decides the confidence, beside the best rival who is another person.
func (t *courtTrial) link(rival trial) CaseLink {
	k := CaseLink{At: t.at, Probability: t.probability()}
	found := t.confidence(rival)
	switch {
	case found == NoLink:
	case t.number && t.probability() >= highProbability:
		k.Confidence = High
	case t.birth == birth.Equal:
		k.Confidence = found
	case t.offense:
		k.Confidence = Low
	}
	return k
}

// reasons returns what speaks for the pair, the strongest first.
func (t *courtTrial) reasons(c *Case, s *Stay) []string {
	reasons := explainLink(&c.Name, &s.Name, c.Born, s.Born)
	if t.number {
		reasons = slices.Insert(reasons, 0, "the court names the booking number")
	}
	reasons = append(reasons, "same county")
	if t.offense {
		reasons = append(reasons, "offense agrees with a charge")
	}
	return reasons
}

// whyOnly returns why a link is no surer than low.
func (t *courtTrial) whyOnly(is Confidence, c *Case, s *Stay) []string {
	if is != Low {
		return nil
	}
	why := t.whyLow(c.Born, s.Born, court, jail)
	if t.birth != birth.Equal && !t.number {
		why = append(why, onlyCorroborated)
	}
	return why
}

// ExplainCase returns what speaks for and against a case and a stay being one person's, linked or not.
func ExplainCase(c *Case, s *Stay) []string {
	t := c.try(s)
	reasons := t.reasons(c, s)
	if !t.offense {
		reasons = append(reasons, "no offense in common")
	}
	if t.tried {
		reasons = append(reasons, t.whyOnly(t.link(trial{}).Confidence, c, s)...)
	}
	return reasons
}

// BestForCase is [Best] for the defendant of a case. An equal birth date corroborates; everything else is low.
func BestForCase(c *Case, candidates []Record, population int) Link {
	k, t := best(&Booking{Name: c.Name, Born: c.Born}, candidates, population)
	if k.Confidence == NoLink {
		return k
	}
	r := &candidates[t.at]
	if birth.Relate(c.Born, r.Born) != birth.Equal {
		k.Confidence = Low
	}
	if k.Confidence == Low {
		k.Reasons = append(k.Reasons, t.whyLow(c.Born, r.Born, court, stateRecord)...)
		if t.birth != birth.Equal {
			k.Reasons = append(k.Reasons, "low confidence at most: no birth date agrees")
		}
	}
	return k
}

// BirthsConflict reports whether two births cannot be one person's.
func BirthsConflict(a, b Birth) bool { return birth.Relate(a, b) == birth.Conflict }

// numbered reports whether one of a booking's numbers is the one that a court names. Numbers under four characters
// repeat too often to say anything.
func numbered(named string, numbers []string) bool {
	if named = BookingNumber(named); len(named) < 4 {
		return false
	}
	return slices.ContainsFunc(numbers, func(n string) bool { return BookingNumber(n) == named })
}

// BookingNumber returns a booking number in the form in which numbers are compared: courts and jails differ in blanks,
// dashes and case.
func BookingNumber(said string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, said)
}
