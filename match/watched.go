package match

import (
	"math"
	"slices"

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

// LastNameAlone is the reason where a last name alone is watched.
const LastNameAlone = "first name not compared, the alert has only a last name"

// AlertWithoutBirth is the reason where the watcher states no birth.
const AlertWithoutBirth = "birth date not compared, the alert has none: a namesake is possible"

// BirthCompared reports whether births were among what [ExplainWatched] compared, by the reasons that it returned: either side may have
// got one since.
func BirthCompared(reasons []string) bool { return slices.ContainsFunc(reasons, birth.IsReason) }

// ExplainWatched is [ExplainBorn] for a standing query. When births were not compared, the last reason says so and
// which side states none: however alike the names are, it may be a namesake.
func ExplainWatched(a, b *Name, bornA, bornB Birth) []string {
	tie := birth.Relate(bornA, bornB)
	v := judgeWatched(a, b, tie)
	reasons := withBirth(v.reasons(), tie)
	switch {
	case bornA.Year == 0:
		return append(reasons, AlertWithoutBirth)
	case bornB.Year == 0:
		return append(reasons, "birth date not compared, the record has none: a namesake is possible")
	}
	return reasons
}

// bookedAtAll is the log-odds that a booking is the watched person's, in the labelled sets and so on this scale.
const bookedAtAll = -12.2

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
			e := n.besideForm(n.surnameEvidence()).and(n.givenEvidence()).and(n.middleEvidence()).and(n.sexEvidence()).and(readingEvidence(ra)).and(readingEvidence(rb))
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
