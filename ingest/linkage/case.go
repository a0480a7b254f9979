package linkage

import (
	"cmp"
	"slices"
	"strconv"

	"rollcall/match"
	"rollcall/models"
)

// placeID and placeOf turn a place in a list into a record's id and back. The matcher knows records by texts, and here they
// are places in a slice.
func placeID(i int) string { return strconv.Itoa(i) }

func placeOf(id string) int {
	i, _ := strconv.Atoi(id)
	return i
}

// linksOfCase finds the bookings and the corrections record of a case's defendant, apart from those that an
// operator ruled out. near are the bookings to weigh.
func linksOfCase(c *models.LinkCase, near []int64, stays map[int64]*models.LinkStay, records *match.Linker, population int) []models.FoundCourtLink {
	k := caseOf(c)
	var candidates []*models.LinkStay
	slices.Sort(near) // equal candidates come in one order in every run
	for _, rid := range near {
		if s := stays[rid]; s != nil && !slices.Contains(c.DismissedRoster, s.ID) {
			candidates = append(candidates, s)
		}
	}
	weighed := make([]match.Stay, len(candidates))
	for i, s := range candidates {
		weighed[i] = stayOf(s)
	}
	links := match.LinkCase(k, weighed)
	var found []models.FoundCourtLink
	for _, l := range links {
		found = append(found, models.FoundCourtLink{
			CaseKey: c.Key, RID: &candidates[l.At].RID, Confidence: models.Confidence(l.Confidence.String()), Probability: l.Probability, Reasons: append([]string{}, l.Reasons...),
		})
	}
	if r, ok := recordOfCase(c, k, links, candidates, records, population); ok {
		found = append(found, r)
	}
	return found
}

// recordOfCase finds the defendant's corrections record by name and birth, or through the bookings that the
// case is linked with, which share its county and offense; of two the surer, and of two as sure none.
func recordOfCase(c *models.LinkCase, k *match.Case, links []match.CaseLink, candidates []*models.LinkStay, records *match.Linker, population int) (models.FoundCourtLink, bool) {
	var best models.FoundCourtLink
	sure, tie := match.NoLink, false
	offer := func(id string, confidence match.Confidence, probability float64, reasons []string) {
		if confidence == match.NoLink || slices.Contains(c.DismissedGdc, id) {
			return
		}
		switch other := best.GdcID != nil && *best.GdcID != id; {
		// Less sure, or the same record again.
		case confidence < sure || confidence == sure && !other:
		// Two records fit equally well: to link neither is better than to guess.
		case confidence == sure:
			tie = true
		default:
			best, sure, tie = models.FoundCourtLink{
				CaseKey: c.Key, GdcID: &id, Confidence: models.Confidence(confidence.String()), Probability: probability, Reasons: append([]string{}, reasons...),
			}, confidence, false
		}
	}
	near := slices.DeleteFunc(records.Near(&match.Booking{Name: k.Name, Born: k.Born}), func(r match.Record) bool { return slices.Contains(c.DismissedGdc, r.ID) })
	direct := match.BestForCase(k, near, population)
	offer(direct.RecordID, direct.Confidence, direct.Probability, direct.Reasons)
	for _, l := range links {
		s := candidates[l.At]
		if s.GdcID == nil || match.BirthsConflict(k.Born, match.ParseBirth(*s.GdcBorn)) {
			continue
		}
		// A chain is as sure as its weaker link.
		through := min(l.Confidence, confidenceOf(*s.GdcConfidence))
		offer(*s.GdcID, through, l.Probability, append([]string{"linked with booking " + s.ID + ", which is linked with this record with " + string(*s.GdcConfidence) + " confidence"}, l.Reasons...))
	}
	return best, sure != match.NoLink && !tie
}

// confidenceOf returns a stored confidence as the matcher counts it.
func confidenceOf(c models.Confidence) match.Confidence {
	for _, m := range []match.Confidence{match.High, match.Medium} {
		if m.String() == string(c) {
			return m
		}
	}
	return match.Low
}

// caseOf parses the defendant as the matcher wants it.
func caseOf(c *models.LinkCase) *match.Case {
	return &match.Case{Name: match.Parse(c.Name), Born: match.ParseBirth(c.Born), Offenses: c.Offenses, Booking: c.Booking}
}

// stayOf parses the person of a booking as the matcher wants it. Unlike bookingOf it has charges and numbers, which a case
// is compared with and a corrections record is not.
func stayOf(s *models.LinkStay) match.Stay {
	return match.Stay{Name: match.Parse(s.Name), Born: match.ParseBirth(s.Born), Charges: s.Charges, Numbers: s.Numbers}
}

// explainCourt compares the two ends of a pair, and says what is stored.
func explainCourt(caseID string, p *models.CourtPair) *CourtExplanation {
	k := caseOf(&p.Case)
	e := &CourtExplanation{CaseID: caseID, CaseNumber: p.Number, Defendant: p.Case.Name, CaseBorn: p.Case.Born, Explanation: Explanation{Decision: p.Decision, Notes: []string{}}}
	if p.Stay != nil {
		s := stayOf(p.Stay)
		e.PersonID, e.PersonName, e.PersonBorn, e.Reasons = p.Stay.ID, p.Stay.Name, p.Stay.Born, match.ExplainCase(k, &s)
		for _, l := range match.LinkCase(k, []match.Stay{s}) {
			e.Confidence, e.Probability = l.Confidence.String(), l.Probability
		}
	} else {
		r := match.Record{ID: p.Record.GdcID, Name: match.Parse(p.Record.Name), Born: match.ParseBirth(p.Record.Born)}
		l := match.BestForCase(k, []match.Record{r}, p.Population)
		e.PersonID, e.PersonName, e.PersonBorn, e.Reasons = r.ID, p.Record.Name, p.Record.Born, match.ExplainBorn(&k.Name, &r.Name, k.Born, r.Born)
		e.Confidence, e.Probability = l.Confidence.String(), l.Probability
	}
	// Runs never compare a case with a booking of another county, so an explanation must not promise a link.
	if !p.SameCounty {
		e.Confidence, e.Probability = "", 0
		e.Notes = append(e.Notes, "The booking is in another county: a case is linked with bookings of its own county only.")
		e.Reasons = slices.DeleteFunc(e.Reasons, func(r string) bool { return r == "same county" })
	}
	e.note(p)
	return e
}

// note says what else but the pair itself decided.
func (e *CourtExplanation) note(p *models.CourtPair) {
	e.noteOutside(p.Withheld)
	switch l := p.Stored; {
	case l != nil:
		confidence := string(l.Confidence)
		e.Linked, e.Origin = &confidence, &l.Origin
		e.add("The two are linked (" + string(l.Confidence) + ", " + l.Origin + "): " + cmp.Or(firstOf(l.Reasons), "no reason kept") + ".")
	case e.Confidence != "" && p.Decision == nil && !p.Withheld:
		e.add("The two are not linked: another person fits the case about as well, or it waits for the next link run.")
	default:
		e.add("The two are not linked.")
	}
	e.notePinned(p.Stored)
}

// firstOf returns the first text, or an empty one.
func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
