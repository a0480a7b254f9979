package court

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Input is all that a court case is resolved from.
type Input struct {
	Claims     []*Claim // attached to the case
	EveryParty []*Claim // removals for every party of the case
	Before     *State   // the case as it is stored; nil: it is new

	Causes    []resolve.Cause
	Decisions []resolve.Decision
	Now       time.Time
}

// State is a court case as its claims have it.
type State struct {
	Defendant    string
	DOB          *models.Date
	BirthYear    int16
	BookingKey   string
	Offense      string
	Filed        models.Date
	Status       string
	StatusText   string
	Judge        string
	HearingLink  string // of the case itself; readers prefer that of its next hearing
	Charges      []snapshot.CaseCharge
	Hearings     []Hearing
	Dispositions []snapshot.DispositionFacts

	Own        models.WithheldReason // why its claims by themselves forbid publishing it: evidence against the booking that it names
	Visibility resolve.Visibility
	Source     string // that reported it first
}

// Resolve resolves a court case. It is nil when it is new and none of its claims reports the case itself, but parts of it. A
// case that nobody reports any more is what it is.
func Resolve(in Input) *State {
	claims := rankCases(in.Claims)
	report := slices.DeleteFunc(slices.Clone(claims), func(c *Claim) bool { return c.Facts.Pending() })
	switch {
	case len(report) == 0 && in.Before == nil:
		return nil
	case len(report) == 0:
		s := *in.Before
		if s.Own = models.Published; s.Visibility.Because == nil {
			s.Own = resolve.AboutAge(s.Visibility.Reason)
		}
		s.decide(in)
		return &s
	}
	s := &State{Source: resolve.Oldest(report).Source.ID}
	s.Defendant, _ = pick(claims, caseDefendant, func(r *Report) string { return r.Defendant })
	s.Filed, _ = pick(claims, caseFiled, func(r *Report) models.Date { return r.Filed })
	s.BookingKey, _ = pick(claims, caseBooking, func(r *Report) string { return r.BookingKey })
	s.HearingLink, _ = pick(claims, caseLink, func(r *Report) string { return r.HearingLink })
	s.born(claims)
	s.decided(claims)
	s.Charges = chargesOfCase(claims)
	s.Offense = offenseOf(claims, s.Charges)
	s.Dispositions = dispositionsOfCase(claims)
	k := calendarOf(claims, in.EveryParty)
	if in.Before != nil {
		s.Hearings = k.standing(in.Before.Hearings)
	} else {
		s.Hearings = k.standing(nil)
	}
	s.Judge = judgeOf(claims, k)
	s.Own = resolve.Ages(claims)
	if s.DOB != nil && resolve.Minor(*s.DOB, s.Filed) {
		s.Own = models.WithheldJuvenile
	}
	s.decide(in)
	return s
}

// rankCases orders claims: the case's own, then those that merges brought, the last
// one first, then takeovers; of equal ones the oldest first.
func rankCases(claims []*Claim) []*Claim {
	out := slices.Clone(claims)
	rank := func(c *Claim) int {
		switch {
		case c.Source.Import:
			return 2
		case c.How == resolve.Merged:
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b *Claim) int {
		merged := 0
		if rank(a) == 1 && rank(b) == 1 {
			merged = b.HowAt.Compare(a.HowAt)
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), merged, a.FirstAt.Compare(b.FirstAt), strings.Compare(a.Source.ID, b.Source.ID), strings.Compare(a.Key, b.Key))
	})
	return out
}

// pick is the value of a fact: of the claims that report it the one that claims it since the latest. What
// a claim said before a merge brought it does not overrule those that were there, and a takeover nobody.
func pick[V any](claims []*Claim, field string, value func(*Report) V) (v V, by *Claim) {
	for _, c := range claims {
		if c.Facts.toldAt(field) == (Moment{}) || by != nil && (c.Source.Import || !overrules(c, c.Of(field), by.Of(field))) {
			continue
		}
		v, by = value(&c.Facts), c
	}
	return v, by
}

// overrules reports whether what c claims since an instant counts before what another claim says since then.
func overrules(c *Claim, since, then time.Time) bool {
	return since.After(then) && (c.How != resolve.Merged || since.After(c.HowAt))
}

func (s *State) born(claims []*Claim) {
	if dob, by := pick(claims, caseDOB, func(r *Report) models.Date { return r.DOB }); by != nil {
		s.DOB, s.BirthYear = &dob, int16(dob.Year) //nolint:gosec // 1 to 9999
		return
	}
	s.BirthYear, _ = pick(claims, caseYear, func(r *Report) int16 { return r.BirthYear })
}

// decided sets how far the case is. A status that nobody can read leaves the one that is known.
func (s *State) decided(claims []*Claim) {
	s.Status = unknownCase
	if status, by := pick(claims, caseStatus, func(r *Report) string { return r.Status }); by != nil {
		s.Status = status
	}
	s.StatusText, _ = pick(claims, caseStatusText, func(r *Report) string { return r.StatusText })
}

// chargesOfCase are the charges of the claim that claims its list since the latest. Numbers of charges mean
// something within one list only.
func chargesOfCase(claims []*Claim) []snapshot.CaseCharge {
	var out []snapshot.CaseCharge
	var from time.Time
	for _, c := range claims {
		charges := c.Facts.Charges.Standing()
		if len(charges) == 0 {
			continue
		}
		since := c.Facts.Charges.since()
		if out == nil || !c.Source.Import && overrules(c, since, from) {
			out, from = charges, since
		}
	}
	return out
}

// since is when a list changed last, as far as its parts know.
func (l *List[T]) since() (at time.Time) {
	for i := range l.Parts {
		if l.Parts[i].Since.After(at) {
			at = l.Parts[i].Since
		}
	}
	return at
}

// offenseOf is the offense that the case names itself, else its first charge. That of a takeover yields to
// charges, and a case of which all charges are gone keeps the one that was reported last.
func offenseOf(claims []*Claim, charges []snapshot.CaseCharge) string {
	named, by := pick(claims, caseOffense, func(r *Report) string { return r.Offense })
	switch {
	case by != nil && !by.Source.Import:
		return named
	case len(charges) > 0:
		return charges[0].Description
	case by != nil:
		return named
	}
	var last *Part[snapshot.CaseCharge]
	for _, c := range claims {
		for i := range c.Facts.Charges.Parts {
			p := &c.Facts.Charges.Parts[i]
			if p.Said != (Moment{}) && (last == nil || p.Said.At.After(last.Said.At)) {
				last = p
			}
		}
	}
	if last == nil {
		return ""
	}
	return last.Facts.Description
}

// judgeOf is the judge whom the newest hearing names where it was reported since the case itself was. That of a takeover
// yields to the hearings of a court.
func judgeOf(claims []*Claim, k *calendar) string {
	judge, by := pick(claims, caseJudge, func(r *Report) string { return r.Judge })
	presides, said := k.judge()
	since := Moment{}
	if by != nil && !by.Source.Import {
		since = by.Facts.toldAt(caseJudge)
	}
	if presides == "" || by != nil && (said.At.IsZero() || !said.After(since)) {
		return judge
	}
	return presides
}

// dispositionsOfCase are those of all claims, each by its day and outcome once. Those of a takeover are
// replaced by the first source that reports the case.
func dispositionsOfCase(claims []*Claim) []snapshot.DispositionFacts {
	var out []snapshot.DispositionFacts
	seen := map[string]int{} // rank of the claim that has it
	for rank, c := range claims {
		if c.Source.Import && rank > 0 {
			break // takeovers come last
		}
		list := c.Facts.Dispositions.Standing()
		slices.SortStableFunc(list, func(a, b snapshot.DispositionFacts) int { return cmp.Compare(a.Seq, b.Seq) })
		for _, d := range list {
			key := d.Date.String() + " " + d.Outcome
			if of, known := seen[key]; known && of != rank {
				continue
			}
			seen[key] = rank
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b snapshot.DispositionFacts) int { return strings.Compare(a.Date.String(), b.Date.String()) })
	for i := range out {
		out[i].Seq = int16(i + 1)
	}
	return out
}

// decide sets whether the case may be published.
func (s *State) decide(in Input) {
	var before resolve.Visibility
	if in.Before != nil {
		before = in.Before.Visibility
	}
	if of := before.Because; of != nil && slices.ContainsFunc(in.Causes, func(c resolve.Cause) bool { return c.Of == *of && c.Since.After(before.Since) }) {
		before = resolve.Visibility{} // more is known of the other record than when this one was withheld, or published in spite of it
	}
	s.Visibility = resolve.Decide(resolve.Grounds{Own: s.Own, Causes: in.Causes}, in.Decisions, before, in.Now)
}
