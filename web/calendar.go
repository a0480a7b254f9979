package web

import (
	"github.com/go-chi/chi/v5"

	"rollcall/calendar"
	"rollcall/models"
	"rollcall/web/page"
)

// liveCalendars returns the calendar subscriptions of the visitor's account that work, newest
// first.
func (s *Site) liveCalendars(v *page.Visit) (live []*models.CalendarSubscription, err error) {
	all, err := s.Store.CalendarSubscriptions(v.R.Context(), v.Account.ID)
	for _, f := range all {
		if f.RevokedAt == nil {
			live = append(live, f)
		}
	}
	return live, err
}

// endCalendar ends a subscription, whatever the plan: an account that lost the plan can take
// back what it gave away.
func (s *Site) endCalendar(v *page.Visit) error {
	if err := s.Store.RevokeCalendarSubscription(v.R.Context(), v.Account.ID, v.Param("id")); err != nil {
		return err
	}
	if err := s.Trail(v, "calendar address ended", v.Param("id")); err != nil {
		return err
	}
	return page.Redirect(v.W, v.R, "/settings/keys?done=calendar-ended")
}

// calendar answers with the hearings of a case as iCalendar, once. Programs that subscribe use
// an address of its own (package calendar).
func (s *Site) calendar(v *page.Visit) error {
	if refusal := v.Account.Suspended(); refusal != nil {
		return refusal
	}
	if !v.Account.Entitled() {
		return &models.Error{Code: models.CodeForbidden, Message: "records need the Enterprise plan"}
	}
	ctx := v.R.Context()
	c, err := s.Store.CourtCaseByID(ctx, chi.URLParam(v.R, "id"))
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
