package record

import (
	"context"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// offenderBody is what the page of a corrections record shows.
type offenderBody struct {
	common
	Offender *models.CorrectionsRecord
}

// offender shows a corrections record.
func (s Site) offender(v *page.Visit) error {
	ctx := v.R.Context()
	o, err := s.Store.CorrectionsByGdcID(ctx, v.Param("id"))
	if err != nil {
		return page.Hidden(err)
	}
	b := &offenderBody{Offender: o}
	b.common = common{
		Crumb:  CrumbOf(v, o.Name),
		Person: everything(o.ID()), Watch: Watch(o.Name, o.Dob, o.BirthYear), LastChange: o.LastChange, FirstSeen: o.FirstSeen,
		Request: "GET /v1/corrections/" + o.GdcID, Operation: "showCorrectionsRecord",
	}
	if err := s.read(ctx, &b.common, models.Corrections, o.CID, o.SourceID); err != nil {
		return err
	}
	if err := s.linkOffender(ctx, b); err != nil {
		return err
	}
	return s.Pages.Page(v, "offender", page.View{Title: page.CalmName(o.Name), Script: "record", Body: b})
}

// linkOffender reads the bookings and cases that are linked with the record.
func (s Site) linkOffender(ctx context.Context, b *offenderBody) error {
	cid := b.Offender.CID
	bookings, err := s.Store.CountyRecordsOf(ctx, []int64{cid})
	if err != nil {
		return err
	}
	courts, err := s.Store.CourtLinksOfRecords(ctx, []int64{cid})
	if err != nil {
		return err
	}
	cases, err := s.casesOf(ctx, courts[cid])
	if err != nil {
		return err
	}
	b.Links = linksOf(b.Offender.Name, words.T("No county booking or court case is linked to this record."),
		familyOf(words.T("County bookings"), bookingLinks(bookings[cid])), familyOf(words.T("Court cases"), cases))
	return nil
}

// Born is what is known of the birth.
func (b *offenderBody) Born() words.Text { return fact.Born(b.Offender.Dob, b.Offender.BirthYear) }

// State is where the person is, as far as the department says.
func (b *offenderBody) State() fact.Chip { return fact.State(b.Offender.Status) }

// Categories are why the department keeps the record.
func (b *offenderBody) Categories() words.Text {
	var all []words.Text
	for _, c := range b.Offender.Categories {
		all = append(all, fact.Word(c))
	}
	return words.Join(", ", all...)
}

// Release is the day of the release; empty: none is stated.
func (b *offenderBody) Release() words.Text { return day(b.Offender.ReleaseDate) }

// ParoleEnds is the day on which the parole ends; empty: none is stated.
func (b *offenderBody) ParoleEnds() words.Text { return day(b.Offender.ParoleEndDate) }

// day writes a day; no text when it is not known.
func day(d *models.Date) words.Text {
	if d == nil {
		return nil
	}
	return words.Day(*d)
}

// Institution and Sentence are as the department writes them; empty: none is stated.
func (b *offenderBody) Institution() string { return models.EmptyIfNil(b.Offender.Institution) }
func (b *offenderBody) Sentence() string    { return models.EmptyIfNil(b.Offender.Sentence) }
