package record

import (
	"net/url"
	"slices"

	"rollcall/calendar"
	"rollcall/internal/pathtoken"
	"rollcall/models"
	"rollcall/web/page"
)

// calendars are the addresses of a case that calendar programs ask by themselves.
type calendars struct {
	// Live are those of the account that work, newest first.
	Live []*models.CalendarSubscription
	// New is the address that was just made, which is shown only this once.
	New string
}

// take keeps those of the account's subscriptions that are of a case and work.
func (c *calendars) take(caseID string, all []*models.CalendarSubscription) {
	c.Live = slices.DeleteFunc(slices.Clone(all), func(f *models.CalendarSubscription) bool { return f.RevokedAt != nil || f.CaseID != caseID })
}

// caseAddress is the address of the page of a case.
func caseAddress(id string) string { return "/cases/" + url.PathEscape(id) }

// makeCalendar subscribes the account to the hearings of a case, and shows the address. The store has the SHA-256 of its token alone.
func (s Site) makeCalendar(v *page.Visit) error {
	ctx := v.R.Context()
	c, err := s.Store.CourtCaseByID(ctx, v.Param("id"))
	if err != nil {
		return page.Hidden(err)
	}
	token, sha := pathtoken.New()
	if _, err := s.Store.CreateCalendarSubscription(ctx, v.Account.ID, c, "", sha); err != nil {
		return page.Hidden(err)
	}
	if err := s.Pages.Trail(v, "calendar address created", c.CaseNumber); err != nil {
		return err
	}
	return s.showCase(v, c.ID(), calendars{New: pathtoken.Address(s.Pages.Root, token, calendar.File)})
}

// endCalendar ends an address; it answers 404 from then on.
func (s Site) endCalendar(v *page.Visit) error {
	feed := v.Param("feed")
	if err := s.Store.RevokeCalendarSubscription(v.R.Context(), v.Account.ID, feed); err != nil {
		return err
	}
	if err := s.Pages.Trail(v, "calendar address ended", feed); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, caseAddress(v.Param("id"))+"?done=calendar-ended#calendar")
}

// hearingsFile answers with the hearings of a case as iCalendar, once. Programs that subscribe use
// an address of its own (package calendar).
func (s Site) hearingsFile(v *page.Visit) error {
	if refusal := v.Account.Suspended(); refusal != nil {
		return refusal
	}
	if !v.Account.Entitled() {
		return &models.Error{Code: models.CodeForbidden, Message: "records need the Enterprise plan"}
	}
	ctx := v.R.Context()
	c, err := s.Store.CourtCaseByID(ctx, v.Param("id"))
	if err != nil {
		return err
	}
	events, err := s.Store.CalendarOf(ctx, c)
	if err != nil {
		return err
	}
	h := v.W.Header()
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="hearings.ics"`)
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	v.W.Write(calendar.Write(c, events))
	return nil
}
