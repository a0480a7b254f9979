package web

import (
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
