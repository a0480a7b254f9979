package record

import (
	"context"

	"rollcall/models"
	"rollcall/web/fact"
	"rollcall/web/page"
	"rollcall/web/words"
)

// caseBody is what the page of a court case shows.
type caseBody struct {
	common
	Case         *models.CourtCase
	Hearings     hearings
	Dispositions []disposition
	Calendar     calendars
}

// disposition is an outcome with its day in words.
type disposition struct {
	*models.Disposition
	Day words.Text
}

// courtCase shows a case.
func (s Site) courtCase(v *page.Visit) error { return s.showCase(v, v.Param("id"), calendars{}) }

// showCase shows a case, and the calendar address that was just made for it.
func (s Site) showCase(v *page.Visit, id string, made calendars) error {
	ctx := v.R.Context()
	c, err := s.Store.CourtCaseByID(ctx, id)
	if err != nil {
		return page.Hidden(err)
	}
	b := &caseBody{Case: c, Calendar: made}
	b.common = common{
		Crumb:  CrumbOf(v, c.Defendant),
		Person: everything(c.ID()), Watch: Watch(c.Defendant, nil, nil), LastChange: c.LastChange, FirstSeen: c.FirstSeen,
		Request: "GET /v1/courts/" + c.CaseNumber, Operation: "showCourtCase",
	}
	if err := s.read(ctx, &b.common, models.Courts, c.Key, c.SourceID); err != nil {
		return err
	}
	if err := s.readParts(ctx, b); err != nil {
		return err
	}
	if err := s.linkCase(ctx, b); err != nil {
		return err
	}
	all, err := s.Store.CalendarSubscriptions(ctx, v.Account.ID)
	if err != nil {
		return err
	}
	b.Calendar.take(c.ID(), all)
	return s.Pages.Page(v, "case", page.View{Title: page.CalmName(c.Defendant), Script: "record", At: caseAddress(id), Body: b})
}

// readParts reads the hearings and outcomes.
func (s Site) readParts(ctx context.Context, b *caseBody) error {
	key := b.Case.Key
	found, err := s.Store.HearingsOf(ctx, []int64{key})
	if err != nil {
		return err
	}
	b.Hearings = hearingsOf(found[key], models.DateOf(b.Now.In(models.Georgia)))
	outcomes, err := s.Store.DispositionsOf(ctx, []int64{key})
	if err != nil {
		return err
	}
	for _, d := range outcomes[key] {
		b.Dispositions = append(b.Dispositions, disposition{d, words.Day(d.Date)})
	}
	return nil
}

// linkCase reads who the defendant is, as far as the case is linked.
func (s Site) linkCase(ctx context.Context, b *caseBody) error {
	found, err := s.Store.CourtLinksOfCases(ctx, []int64{b.Case.Key})
	if err != nil {
		return err
	}
	people := found[b.Case.Key]
	var rids, cids []int64
	for _, k := range people {
		if k.RID != nil {
			rids = append(rids, *k.RID)
		}
		if k.CID != nil {
			cids = append(cids, *k.CID)
		}
	}
	stays, err := s.Store.BookingsByKeys(ctx, rids)
	if err != nil {
		return err
	}
	sentences, err := s.Store.CorrectionsByKeys(ctx, cids)
	if err != nil {
		return err
	}
	bookings, state := peopleLinks(people, stays, sentences)
	if o := surest(state); o != nil {
		b.Watch = Watch(b.Case.Defendant, o.Dob, o.BirthYear)
	}
	b.Links = linksOf(b.Case.Defendant, words.T("No booking or state corrections record is linked to this case."),
		familyOf(words.T("County bookings"), bookings), familyOf(words.T("State corrections"), state))
	return nil
}

// surest returns the only corrections record that is the defendant's with high confidence; nil: there is none, or there are several.
func surest(state []link) (out *models.CorrectionsRecord) {
	for _, l := range state {
		switch {
		case l.Confidence != models.High:
		case out != nil:
			return nil
		default:
			out = l.Offender
		}
	}
	return out
}

// peopleLinks returns links to the bookings and to the corrections records of a defendant.
func peopleLinks(
	found []*models.CourtLink, stays map[int64]*models.Booking, sentences map[int64]*models.CorrectionsRecord,
) (bookings, state []link) {
	for _, k := range found {
		l := linked(k.Confidence, k.Reasons)
		switch {
		case k.RID != nil && stays[*k.RID] != nil:
			l.Booking = stays[*k.RID]
			bookings = append(bookings, l)
		case k.CID != nil && sentences[*k.CID] != nil:
			l.Offender = sentences[*k.CID]
			state = append(state, l)
		}
	}
	return bookings, state
}

// Closed reports whether the case is closed: no hearing is to come that is not listed.
func (b *caseBody) Closed() bool { return b.Case.Status == models.ClosedCase }

// State is how far the case is.
func (b *caseBody) State() fact.Chip { return fact.State(b.Case.Status) }

// Bail is the bail in dollars; empty: none is set.
func (b *caseBody) Bail() string { return money(b.Case.BailCents) }

// Virtual is the address of the next hearing, where it is one.
func (b *caseBody) Virtual() string { return outside(b.Case.HearingLink) }

// Filed is the day of filing, or the earliest day known of the case.
func (b *caseBody) Filed() words.Text { return words.Day(b.Case.FiledDate) }

// Judge is who hears the case; empty: nobody is assigned.
func (b *caseBody) Judge() string { return models.EmptyIfNil(b.Case.Judge) }
