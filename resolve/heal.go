package resolve

import "time"

// Heal moves the instants of a claim that lie in the future, because the clock was wrong when its rows were read. to returns
// where an instant belongs, and the same instant where it is right. It must keep the order of instants. Facts of a family
// that have instants of their own are moved by the family.
func (h *Head) Heal(to func(time.Time) time.Time) {
	e := &h.Age
	for _, at := range []*time.Time{
		&h.HowAt, &h.FirstAt, &h.SaidAt, &e.BirthAt, &e.YearAt, &e.JuvenileAt, &e.MoreAt, &e.RetractedAt, &e.DoubtAt, &e.AdultAt, &e.UnreadAt,
	} {
		*at = to(*at)
	}
	if h.MissingSince != nil {
		at := to(*h.MissingSince)
		h.MissingSince = &at
	}
	for field, at := range h.Since {
		h.Since[field] = to(at)
	}
}

// Heal moves the instants of the newest rows that report the booking and its release, as Head.Heal does. Times of booking and
// release are no instants of rows, but for a release that was stated without its time: that is dated by its row.
func (f *BookingFacts) Heal(to func(time.Time) time.Time) {
	if f.Untimed && f.Released != nil {
		at := to(*f.Released)
		f.Released = &at
	}
	for _, at := range []**time.Time{&f.WholeAt, &f.OutAt} {
		if *at != nil {
			healed := to(**at)
			*at = &healed
		}
	}
}

// Heal does nothing: an offender's facts have no instants of rows.
func (f *OffenderFacts) Heal(func(time.Time) time.Time) {}
