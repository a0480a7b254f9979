package resolve

import (
	"slices"

	"rollcall/models"
)

// ownReason is why the claims of a booking by themselves forbid publishing it. A juvenile by any claim is
// one; where another source reports an adult's date of birth, it is left to a review (FEEDS.md, guarantee
// 11). A mere doubt ends with an adult's birth, of any source; a flag that was taken back does not. An age that
// the source never states is known when another source states any of an adult.
func ownReason(claims []*BookingClaim) models.WithheldReason {
	heard := bySource(claims)
	grown := slices.ContainsFunc(heard, func(e Evidence) bool { return e.stated() && e.Reason() == models.Published })
	adult := slices.ContainsFunc(heard, func(e Evidence) bool { return e.Birth != nil && e.Reason() == models.Published })
	reason := models.Published
	for _, e := range heard {
		r := e.Reason()
		if r == models.WithheldJuvenile && adult {
			r = models.WithheldMaybeJuvenile
		}
		if r == models.WithheldMaybeJuvenile && (adult && e.doubts() || grown && e.silent()) {
			continue
		}
		if r.Over(reason) {
			reason = r
		}
	}
	return reason
}

// retracted reports whether a source took the flag back that made the person a juvenile.
func retracted(claims []*BookingClaim) bool {
	return slices.ContainsFunc(bySource(claims), func(e Evidence) bool { return e.Retracted() })
}

// doubts reports whether the evidence only leaves open how old somebody is, and nothing speaks of a juvenile.
func (e *Evidence) doubts() bool { return e.JuvenileAt.IsZero() && !e.Unread }

// silent reports whether nothing is said of the age at all, so that publish.unknown_age alone withholds the record.
func (e *Evidence) silent() bool { return e.Unknown && !e.Unread && e.reason() == models.Published }

// bySource is the evidence of each claim that is listed, with that of the absent claims of its source: under a
// key that its source lists no more there is no flag left to take back, but an age stays reported. Where
// a source lists none, its absent claims speak together.
func bySource(claims []*BookingClaim) (out []Evidence) {
	absent, listed := map[string]Evidence{}, map[string][]Evidence{}
	for _, c := range claims {
		id := c.Source.ID
		if c.Listed() {
			listed[id] = append(listed[id], c.Age)
			continue
		}
		e := absent[id]
		e.Merge(&c.Age)
		absent[id] = e
	}
	for id, es := range listed {
		if gone, some := absent[id]; some {
			for i := range es {
				es[i].Merge(&gone)
			}
			delete(absent, id)
		}
		out = append(out, es...)
	}
	for _, e := range absent {
		out = append(out, e)
	}
	return out
}

// Merge folds in what rows under another key of the same source say.
func (e *Evidence) Merge(o *Evidence) {
	if o.Birth != nil && (e.Birth == nil || o.BirthAt.After(e.BirthAt) || o.BirthAt.Equal(e.BirthAt) && o.BirthReason.Over(e.BirthReason)) {
		e.Birth, e.BirthAt, e.BirthReason = o.Birth, o.BirthAt, o.BirthReason
	}
	if o.Year != 0 && o.YearAt.After(e.YearAt) {
		e.Year, e.YearAt = o.Year, o.YearAt
	}
	e.JuvenileAt, e.MoreAt = newest(e.JuvenileAt, o.JuvenileAt), newest(e.MoreAt, o.MoreAt)
	e.RetractedAt, e.DoubtAt = newest(e.RetractedAt, o.RetractedAt), newest(e.DoubtAt, o.DoubtAt)
	if !o.AdultAt.IsZero() && (e.AdultAt.IsZero() || o.AdultAt.Before(e.AdultAt)) {
		e.AdultAt = o.AdultAt
	}
	e.Unknown = e.Unknown || o.Unknown
	e.Unread, e.UnreadAt = e.Unread || o.Unread, newest(e.UnreadAt, o.UnreadAt)
}
