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
	// Claims are those attached to the case.
	Claims []*Claim
	// EveryParty are claims of every party of the case: removals, and parts and judges that name no party.
	EveryParty []*Claim
	// Before is the case as it is stored; nil: it is new.
	Before *State

	// Causes are the bookings on whose account the case may have to be withheld.
	Causes []resolve.Cause
	// Decisions are those of operators that are in force about it.
	Decisions []resolve.Decision
	// Now is when a ground that is new begins.
	Now time.Time
}

// State is a court case as its claims have it.
type State struct {
	Defendant string       // as the court writes the name
	DOB       *models.Date // nil: unknown
	BirthYear int16        // 0: unknown
	// BookingKey is the number of the booking as the court writes it.
	BookingKey string
	Offense    string // of the case itself, else of its first charge
	// Filed is the day of filing. FiledInferred reports that no source states it; then Filed is the earliest day known of the
	// case.
	Filed         models.Date
	FiledInferred bool
	// BailCents is the bail of the case; 0: none is set or known.
	BailCents  int64
	Status     string // pending, closed, warrant, unknown
	StatusText string // as the court writes it, when unknown
	Judge      string // of the newest hearing that names one, or empty
	// HearingLink is that of the case itself; readers prefer that of its next hearing.
	HearingLink  string
	Charges      []snapshot.CaseCharge       // in their order
	Hearings     []Hearing                   // by instant
	Dispositions []snapshot.DispositionFacts // in their order

	// Own is why its claims by themselves forbid publishing it. It is also evidence against the booking that it names.
	Own        models.WithheldReason
	Visibility resolve.Visibility // whether it may be shown, and if not why
	// Spent are the decisions to publish whose grounds hold no more.
	Spent []int64
	// Source is the source that reported it first.
	Source string
}

// Resolve resolves a court case from its claims. It returns nil for a new case of which no claim reports the case itself, but
// only parts of it. A stored case that no claim reports any more keeps its facts; only its visibility is decided anew.
//
// The order of claims does not matter. Each fact is that of the claim that has claimed its present value since the latest
// (docs/architecture.md, A run); hearings and dispositions are those of all claims together.
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
	if in.Before != nil {
		s.Defendant = resolve.NameKept(in.Before.Defendant, s.Defendant)
	}
	s.BailCents, _ = pick(claims, caseBail, func(r *Report) int64 { return r.BailCents })
	s.BookingKey, _ = pick(claims, caseBooking, func(r *Report) string { return r.BookingKey })
	s.HearingLink, _ = pick(claims, caseLink, func(r *Report) string { return r.HearingLink })
	s.born(claims)
	s.decided(claims)
	all := slices.Concat(claims, in.EveryParty)
	s.Charges = chargesOfCase(all)
	s.Offense = offenseOf(all, s.Charges)
	s.Dispositions = dispositionsOfCase(claims)
	k := calendarOf(all)
	if in.Before != nil {
		s.Hearings = k.standing(in.Before.Hearings)
	} else {
		s.Hearings = k.standing(nil)
	}
	s.Judge = judgeOf(all, k)
	s.filed(claims)
	s.Own = resolve.Ages(claims)
	s.young()
	s.decide(in)
	return s
}

// rankCases orders claims: the case's own first, then those that merges brought, the last merge first, then takeovers. Of
// equal ones the oldest comes first.
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

// pick returns the value of a fact, and the claim that reports it; nil: none does. Of several claims it is the one that has
// claimed its value since the latest. What a claim said before a merge brought it does not overrule those that were there, and
// a takeover overrules nobody.
func pick[V any](claims []*Claim, field string, value func(*Report) V) (v V, by *Claim) {
	for _, c := range claims {
		told := c.Facts.toldAt(field)
		switch {
		case told == Moment{}:
			continue
		case by == nil:
		case together(c, by):
			if !told.After(by.Facts.toldAt(field)) {
				continue
			}
		case c.Source.Import || !overrules(c, c.Of(field), by.Of(field)):
			continue
		}
		v, by = value(&c.Facts), c
	}
	return v, by
}

// together reports whether c is of every party of the case and another claim of the same source: then the newest row of the two
// counts, as of one claim.
func together(c, other *Claim) bool {
	return c.Facts.Key.Party == EveryParty && c.Source.ID == other.Source.ID
}

// overrules reports whether what c claims since one instant counts before what another claim says since then.
func overrules(c *Claim, since, then time.Time) bool {
	return since.After(then) && !c.BeforeMerge(since)
}

// born sets date and year of birth. A date of any claim comes before a year alone.
func (s *State) born(claims []*Claim) {
	if dob, by := pick(claims, caseDOB, func(r *Report) models.Date { return r.DOB }); by != nil {
		s.DOB, s.BirthYear = &dob, int16(dob.Year) //nolint:gosec // 1 to 9999
		return
	}
	s.BirthYear, _ = pick(claims, caseYear, func(r *Report) int16 { return r.BirthYear })
}

// decided sets how far the case is. A status that cannot be mapped leaves the known one; the court's own text is kept.
func (s *State) decided(claims []*Claim) {
	s.Status = unknownCase
	if status, by := pick(claims, caseStatus, func(r *Report) string { return r.Status }); by != nil {
		s.Status = status
	}
	s.StatusText, _ = pick(claims, caseStatusText, func(r *Report) string { return r.StatusText })
}

// chargesOfCase returns the charges of the claim that has claimed its list since the latest. Lists are never mixed: the
// numbers of charges mean something within one list only.
func chargesOfCase(claims []*Claim) []snapshot.CaseCharge {
	var out []snapshot.CaseCharge
	var by *Claim
	for _, c := range claims {
		list := &c.Facts.Charges
		charges := list.Standing()
		if len(charges) == 0 {
			continue
		}
		switch {
		case by == nil:
		case together(c, by):
			if !list.said().After(by.Facts.Charges.said()) {
				continue
			}
		case c.Source.Import || !overrules(c, list.since(), by.Facts.Charges.since()):
			continue
		}
		out, by = charges, c
	}
	return out
}

// said returns the newest row that reported a part which stands.
func (l *List[T]) said() (at Moment) {
	for i := range l.Parts {
		if p := &l.Parts[i]; p.Stands() && p.Said.After(at) {
			at = p.Said
		}
	}
	return at
}

// since returns when a list last changed, as far as its parts know.
func (l *List[T]) since() (at time.Time) {
	for i := range l.Parts {
		if l.Parts[i].Since.After(at) {
			at = l.Parts[i].Since
		}
	}
	return at
}

// offenseOf returns the offense that the case names itself, else its first charge. The offense of a takeover yields to
// charges. A case of which all charges are gone keeps the offense that was last reported.
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

// judgeOf returns the judge whom the newest hearing names, where that was reported at a later instant than the judge of the case
// itself: of one instant the judge of the case counts, as files of one day come in any order. The judge of a takeover yields to
// the hearings of a court.
func judgeOf(claims []*Claim, k *calendar) string {
	judge, by := pick(claims, caseJudge, func(r *Report) string { return r.Judge })
	presides, said := k.judge()
	since := time.Time{}
	if by != nil && !by.Source.Import {
		since = by.Facts.toldAt(caseJudge).At
	}
	if presides == "" || by != nil && !said.At.After(since) {
		return judge
	}
	return presides
}

// dispositionsOfCase returns the dispositions of all claims in the order of their days. Two claims that report one of the same
// day and outcome report one. Those of a takeover are replaced by the first source that reports the case.
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
	g := resolve.GroundsOf(in.Claims, s.Own)
	g.Causes = in.Causes
	s.Visibility, s.Spent = resolve.Decide(g, in.Decisions, before, in.Now)
}
