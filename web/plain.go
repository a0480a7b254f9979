package web

import (
	"slices"
	"strings"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// plainRecord is a record for readers without scripts: its page's noscript part.
type plainRecord struct {
	Path, Name string
	Status     words.Text
	Facts      []plainFact
}

// plainFact is a fact with its name for people.
type plainFact struct{ Name, Value words.Text }

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
