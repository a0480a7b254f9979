package linkage

import (
	"context"

	"rollcall/match"
	"rollcall/models"
)

// Explanation says why two records are linked or not.
type Explanation struct {
	Confidence  string             `json:"confidence"`  // of the pair alone: high, medium, low, or empty for no link
	Probability float64            `json:"probability"` // 0 to 1, of the pair alone
	Reasons     []string           `json:"reasons"`     // for and against, the weightiest first
	Linked      *string            `json:"linked"`      // the record that a booking is linked to; the confidence of a case's link; null: no link
	Origin      *string            `json:"origin"`      // of that link: imported, matched, operator
	Decision    *models.LinkChoice `json:"verdict"`     // an operator's, of this pair
	Notes       []string           `json:"notes"`       // what else decided, in sentences
}

// LinkExplanation explains a booking and a corrections record. It holds names: it is for operators only.
type LinkExplanation struct {
	RosterID   string `json:"roster_id"`   // public id of the booking
	GdcID      string `json:"gdc_id"`      // of the corrections record
	BookedName string `json:"booked_name"` // as the jail wrote it
	BookedBorn string `json:"booked_born"` // YYYY-MM-DD, YYYY or empty, as below
	RecordName string `json:"record_name"` // as the department wrote it
	RecordBorn string `json:"record_born"` // of the corrections record
	Explanation
}

// CourtExplanation explains a case and a booking or corrections record. It holds names: it is for operators only.
type CourtExplanation struct {
	CaseID     string `json:"case_id"`     // public id
	CaseNumber string `json:"case_number"` // as the court formats it
	Defendant  string `json:"defendant"`   // as the court wrote the name
	CaseBorn   string `json:"case_born"`   // YYYY-MM-DD, YYYY or empty, as below
	PersonID   string `json:"person_id"`   // of the booking or record
	PersonName string `json:"person_name"` // of the booking or record
	PersonBorn string `json:"person_born"` // of the booking or record
	Explanation
}

// add appends a sentence.
func (e *Explanation) add(note string) { e.Notes = append(e.Notes, note) }

// noteOutside says what decides before any comparison: an operator, or that one of the two is withheld. The names of withheld
// people are compared all the same, but never linked.
func (e *Explanation) noteOutside(withheld bool) {
	if e.Decision != nil {
		e.add("An operator " + string(*e.Decision) + " this pair.")
	}
	if withheld {
		e.add("One of the two is withheld: withheld records are not linked.")
	}
}

// notePinned says that a confirmed link outlasts every run.
func (e *Explanation) notePinned(stored *models.StoredLink) {
	if stored != nil && stored.Pinned {
		e.add("The link is confirmed: matching does not touch it.")
	}
}

// Explain weighs one pair and returns what is stored about it. Unknown ids are a not-found models.Error.
func (l *Linker) Explain(ctx context.Context, rosterID, gdcID string) (*LinkExplanation, error) {
	p, err := l.Store.LinkPairOf(ctx, rosterID, gdcID)
	if err != nil {
		return nil, err
	}
	booking := bookingOf(&p.Booking)
	record := match.Record{ID: gdcID, Name: match.Parse(p.Record.Name), Born: match.ParseBirth(p.Record.Born)}
	// The pair alone: whether another record fits as well is said by what is stored.
	alone := match.Best(booking, []match.Record{record}, p.Population)
	e := &LinkExplanation{
		RosterID: rosterID, GdcID: gdcID, BookedName: p.Booking.Name, BookedBorn: p.Booking.Born, RecordName: p.Record.Name, RecordBorn: p.Record.Born,
		Explanation: Explanation{
			Confidence: alone.Confidence.String(), Probability: alone.Probability, Decision: p.Decision,
			Reasons: match.ExplainBorn(&booking.Name, &record.Name, booking.Born, record.Born), Notes: []string{},
		},
	}
	if p.Stored != nil {
		e.Linked, e.Origin = &p.Stored.GdcID, &p.Stored.Origin
	}
	e.note(p, alone.Confidence)
	return e, nil
}

// note says what else but the pair itself decided.
func (e *LinkExplanation) note(p *models.LinkPair, alone match.Confidence) {
	e.noteOutside(p.Withheld)
	switch {
	case p.Stored == nil && alone != match.NoLink && p.Decision == nil && !p.Withheld:
		e.add("The booking has no link: another record fits it about as well, or it waits for the next link run.")
	case p.Stored == nil:
		e.add("The booking has no link.")
	case p.Stored.GdcID != e.GdcID:
		e.add("The booking is linked to " + p.Stored.GdcID + " (" + string(p.Stored.Confidence) + ", " + p.Stored.Origin + ").")
	default:
		e.add("The booking is linked to this record (" + string(p.Stored.Confidence) + ", " + p.Stored.Origin + ").")
	}
	e.notePinned(p.Stored)
}

// ExplainCourt is Explain for a case (models.CourtCase.ID) and a booking or corrections record.
func (l *Linker) ExplainCourt(ctx context.Context, caseID, person string) (*CourtExplanation, error) {
	p, err := l.Store.CourtPairOf(ctx, caseID, person)
	if err != nil {
		return nil, err
	}
	return explainCourt(caseID, p), nil
}
