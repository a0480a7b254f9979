package record

import (
	"net/url"
	"slices"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/words"
)

// linksShown is how many linked records of a family a page shows at most: it stays below 100 kB.
const linksShown = 25

// links are the records that may be the same person's, by family.
type links struct {
	Families []family
	// None says that there are none, and Search is where to look then.
	None   words.Text
	Search string
}

// family is the linked records of one family.
type family struct {
	Title words.Text
	// Total is how many there are; Links has linksShown of them at most.
	Total int
	Links []link
}

// link is a linked record, exactly one of the three, with the grounds of the link.
type link struct {
	Booking  *models.Booking
	Case     *models.CourtCase
	Offender *models.CorrectionsRecord
	// Confidence is how sure the link is.
	Confidence models.Confidence
	Reasons    []fact.Reason
	// Way says by way of which record it is linked; empty: directly.
	Way words.Text
	// Faces reports that photographs were found to agree.
	Faces bool
}

// linked returns the grounds of a link.
func linked(c models.Confidence, reasons []string) link {
	return link{Confidence: c, Reasons: fact.Reasons(reasons)}
}

// linksOf returns families without the empty ones.
func linksOf(name string, none words.Text, families ...family) links {
	return links{
		Families: slices.DeleteFunc(families, func(f family) bool { return f.Total == 0 }),
		None:     none, Search: "/search?" + url.Values{"q": {name}}.Encode(),
	}
}

// familyOf returns the first links of a family.
func familyOf(title words.Text, all []link) family {
	return family{Title: title, Total: len(all), Links: all[:min(len(all), linksShown)]}
}

// caseLinks returns links to cases. One that was withdrawn since its link was read is left out.
func caseLinks(found []*models.CourtLink, cases map[int64]*models.CourtCase) (all []link) {
	for _, k := range found {
		if c := cases[k.CaseKey]; c != nil {
			l := linked(k.Confidence, k.Reasons)
			l.Case = c
			all = append(all, l)
		}
	}
	return all
}

// bookingLinks returns links to the bookings of a corrections record.
func bookingLinks(found []*models.CountyRecord) (all []link) {
	for _, k := range found {
		l := linked(k.Confidence, k.Reasons)
		l.Booking = k.Record
		all = append(all, l)
	}
	return all
}

// bookingLinksBy returns the other bookings of the state record that a booking is linked to. Such a link is no surer than the weaker
// of the two that make it.
func bookingLinksBy(match *models.GdcLink, found []*models.CountyRecord) (all []link) {
	for _, k := range found {
		if k.RID == match.RID {
			continue
		}
		l := linked(weaker(match.Confidence, k.Confidence), k.Reasons)
		l.Booking = k.Record
		l.Way = words.T("Linked through a state record. This page’s booking links to it with {1} confidence. The booking listed here links to it with {2} confidence. Reasons:",
			fact.Word(match.Confidence), fact.Word(k.Confidence))
		all = append(all, l)
	}
	return all
}

// weaker returns the less sure of two confidences.
func weaker(a, b models.Confidence) models.Confidence {
	order := []models.Confidence{models.Low, models.Medium, models.High}
	return order[max(0, min(slices.Index(order, a), slices.Index(order, b)))]
}

// offenderLink returns the link to a corrections record.
func offenderLink(o *models.CorrectionsRecord, c models.Confidence, reasons []string) link {
	l := linked(c, reasons)
	l.Offender = o
	return l
}

// Path is the address of the record.
func (l link) Path() string {
	switch {
	case l.Booking != nil:
		return "/roster/" + url.PathEscape(l.Booking.ID)
	case l.Case != nil:
		return "/cases/" + url.PathEscape(l.Case.ID())
	}
	return "/corrections/" + url.PathEscape(l.Offender.GdcID)
}

// State is where the record stands.
func (l link) State() fact.Chip {
	switch {
	case l.Booking != nil:
		return fact.Custody(l.Booking)
	case l.Case != nil:
		return fact.State(l.Case.Status)
	}
	return fact.State(l.Offender.Status)
}

// Released is the release of a booking; nothing while the person is in custody.
func (l link) Released() words.Text { return fact.Released(l.Booking.Release()) }

// Sure is how sure the link is.
func (l link) Sure() fact.Chip { return fact.Sure(l.Confidence) }

// Born is what the corrections record says of the birth.
func (l link) Born() words.Text { return fact.Born(l.Offender.Dob, l.Offender.BirthYear) }

// Category is why the department keeps the record.
func (l link) Category() words.Text { return fact.Word(l.Offender.Category) }

// Court is where the case lies.
func (l link) Court() words.Text {
	return words.T("{1} court, {2} County", fact.Word(l.Case.CourtType), l.Case.County.Name)
}

// Filed is the day of filing. Where the court states none, it is the earliest day known of the case.
func (l link) Filed() words.Text {
	if l.Case.FiledDateInferred {
		return words.T("known since {1}", words.Day(l.Case.FiledDate))
	}
	return words.T("filed {1}", words.Day(l.Case.FiledDate))
}

// Institution and Sentence are as the department writes them; empty: none is stated.
func (l link) Institution() string { return models.EmptyIfNil(l.Offender.Institution) }
func (l link) Sentence() string    { return models.EmptyIfNil(l.Offender.Sentence) }
