package web

import (
	"context"
	"slices"
	"strings"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// plainSize is how many results of a family the search shows to readers without scripts.
const plainSize = 25

// plainRecord is a record for readers without scripts: its page's noscript part.
type plainRecord struct {
	Path, Name string
	Status     words.Text
	Facts      []plainFact
}

// plainFact is a fact with its name for people.
type plainFact struct{ Name, Value words.Text }

// plainGroup is the results of a family.
type plainGroup struct {
	Title   words.Text
	Total   int
	Records []plainRecord
}

// Line returns what a list says of a record beside its name.
func (r plainRecord) Line() words.Text {
	var values []words.Text
	for _, f := range r.Facts {
		values = append(values, f.Value)
	}
	return words.Join(" · ", values...)
}

// plainFacts returns the facts of pairs of a name and a value. Those without a value are left
// out.
func plainFacts(pairs ...words.Text) []plainFact {
	var out []plainFact
	for pair := range slices.Chunk(pairs, 2) {
		if len(pair[1]) > 0 {
			out = append(out, plainFact{pair[0], pair[1]})
		}
	}
	return out
}

// plainDay returns a day for people; no text when it is not known.
func plainDay(d *models.Date) words.Text {
	if d == nil {
		return nil
	}
	return words.Day(*d)
}

// plainBooking returns a booking for readers without scripts.
func plainBooking(b *models.Booking) plainRecord {
	facts := plainFacts(words.T("County"), words.T("{1} County", b.County.Name), words.T("Booked"), words.When(b.BookingDate))
	if b.ReleaseDate != nil {
		facts = append(facts, plainFact{words.T("Released"), words.When(b.ReleaseDate)})
	}
	facts = append(facts, plainFacts(words.T("Born"), plainDay(b.Dob), words.T("Charges"), words.Plain(strings.Join(calmed(b.Charges), "; ")))...)
	if b.BondCents != nil {
		facts = append(facts, plainFact{words.T("Bond"), words.Plain(models.Cents(*b.BondCents).String())})
	}
	facts = append(facts, plainFacts(words.T("Agency"), words.Plain(models.EmptyIfNil(b.Agency)))...)
	return plainRecord{Path: "/roster/" + b.ID, Name: b.Name, Status: fact.Word(b.Status), Facts: facts}
}

// plainCase returns a court case for readers without scripts.
func plainCase(c *models.CourtCase) plainRecord {
	facts := plainFacts(words.T("Case"), words.Plain(c.CaseNumber), words.T("Court"), words.T("{1} court, {2} County", fact.Word(c.CourtType), c.County.Name),
		words.T("Offense"), words.Plain(page.Calm(c.Offense)), filedName(c), plainDay(&c.FiledDate))
	if c.NextHearing != nil {
		facts = append(facts, plainFact{words.T("Next hearing"), words.When(c.NextHearing)})
	}
	return plainRecord{Path: "/cases/" + c.ID(), Name: c.Defendant, Status: fact.Word(c.Status), Facts: facts}
}

// filedName is what the page calls the day of filing. Where the court states none, it is the earliest day known of the case.
func filedName(c *models.CourtCase) words.Text {
	if c.FiledDateInferred {
		return words.T("Known since")
	}
	return words.T("Filed")
}

// plainOffender returns a corrections record for readers without scripts.
func plainOffender(o *models.CorrectionsRecord) plainRecord {
	return plainRecord{Path: "/corrections/" + o.GdcID, Name: o.Name, Status: fact.Word(o.Status), Facts: plainFacts(
		words.T("Offender id"), words.Plain(o.GdcID), words.T("Category"), fact.Word(o.Category), words.T("Institution"), words.Plain(page.CalmName(models.EmptyIfNil(o.Institution))), words.T("Sentence"), words.Plain(page.CalmTerm(models.EmptyIfNil(o.Sentence))),
		words.T("Born"), plainDay(o.Dob), words.T("Release"), plainDay(o.ReleaseDate), words.T("Parole ends"), plainDay(o.ParoleEndDate),
	)}
}

// calmed returns charges without capitals that nobody needs.
func calmed(charges []string) []string {
	out := make([]string, len(charges))
	for i, c := range charges {
		out[i] = page.Calm(c)
	}
	return out
}

// plainSearch answers the form of the search as a browser without scripts sends it: a name, the number of a record, or
// filters of bookings. Text with a digit is a number, except a year beside a name.
func (s *Site) plainSearch(v *page.Visit) (frame, error) {
	q := v.R.URL.Query()
	f := frame{Asked: strings.TrimSpace(q.Get("q")), Place: q.Get("county"), Query: q}
	saved, err := s.Store.SavedSearches(v.R.Context(), v.User.ID)
	if err != nil {
		return f, err
	}
	for _, one := range saved {
		f.Saved = append(f.Saved, savedSearch{one, s.alertOfSaved(one)})
	}
	a, err := askedOf(q, s.Now())
	f.Filtered = a.narrowed()
	if q.Get("plain") == "" || f.Asked == "" && !f.Filtered {
		return f, nil // scripts say what is wrong with a filter
	}
	if err != nil {
		return f, err
	}
	f.Plain = true
	a.filter.Status = nil // one list of choices is for all families
	ctx, page := v.R.Context(), models.Page{Limit: plainSize, Order: models.OrderRelevance}
	if a.numbered() {
		return f, s.plainNumber(ctx, &f, page)
	}
	bookings, err := s.Store.ListBookings(ctx, a.filter, page)
	if err != nil {
		return f, err
	}
	f.Groups = []plainGroup{groupOf(words.T("Jail bookings"), bookings.Total, bookings.Records, plainBooking)}
	if f.Filtered {
		return f, nil
	}
	cases, err := s.Store.ListCourtCases(ctx, models.CourtFilter{Name: &f.Asked, County: a.filter.County}, page)
	if err != nil {
		return f, err
	}
	f.Groups = append(f.Groups, groupOf(words.T("Court cases"), cases.Total, cases.Records, plainCase))
	if f.Place != "" {
		return f, nil // prisons are of no county
	}
	offenders, err := s.Store.ListCorrections(ctx, models.CorrectionsFilter{Name: &f.Asked}, page)
	if err != nil {
		return f, err
	}
	f.Groups = append(f.Groups, groupOf(words.T("State corrections"), offenders.Total, offenders.Records, plainOffender))
	return f, nil
}

// plainNumber finds the records that bear a number.
func (s *Site) plainNumber(ctx context.Context, f *frame, page models.Page) error {
	number := strings.ToUpper(f.Asked)
	b, err := s.Store.BookingByID(ctx, strings.ToLower(f.Asked))
	if err == nil {
		f.Groups = append(f.Groups, groupOf(words.T("Jail bookings"), 1, []*models.Booking{b}, plainBooking))
	} else if code := models.CodeOf(err); code != models.CodeNotFound && code != models.CodeInvalidParameter {
		return err
	}
	cases, err := s.Store.ListCourtCases(ctx, models.CourtFilter{CaseNumber: &number}, page)
	if err != nil {
		return err
	}
	offenders, err := s.Store.ListCorrections(ctx, models.CorrectionsFilter{GdcID: &number}, page)
	if err != nil {
		return err
	}
	f.Groups = append(f.Groups, groupOf(words.T("Court cases"), cases.Total, cases.Records, plainCase),
		groupOf(words.T("State corrections"), offenders.Total, offenders.Records, plainOffender))
	return nil
}

func groupOf[T any](title words.Text, total int, records []*T, of func(*T) plainRecord) plainGroup {
	g := plainGroup{Title: title, Total: total}
	for _, r := range records {
		g.Records = append(g.Records, of(r))
	}
	return g
}
