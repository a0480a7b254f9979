package resolve

import (
	"cmp"
	"slices"
	"time"

	"rollcall/match"
)

// Apart resolves claims of a booking that others were merged into, or that was merged, without the merges: they are claims of
// one booking of its own.
func Apart(claims []*BookingClaim) BookingState {
	own := make([]*BookingClaim, len(claims))
	for i, c := range claims {
		as := *c
		as.How, own[i] = Own, &as
	}
	return Booking(BookingInput{Claims: own})
}

// KnownBy returns a booking as one of its claims knows it, for Reused and OfEarlier. Where others were merged into it, the claim
// has a time of booking of its own, and its booking was over when the claims say so that the same merge brought, or none
// did: a jail may use the one number again while the other one is listed.
func KnownBy(known *BookingRecord, c *BookingClaim, claims []*BookingClaim) *BookingRecord {
	merged := slices.ContainsFunc(claims, func(c *BookingClaim) bool { return c.How == Merged })
	if known == nil || !merged || !c.Facts.Known() {
		return known
	}
	as := *known
	as.BookedAt = c.Facts.BookedAt
	own := slices.DeleteFunc(slices.Clone(claims), func(o *BookingClaim) bool {
		return (o.How == Merged) != (c.How == Merged) || c.How == Merged && !o.HowAt.Equal(c.HowAt)
	})
	if over := Apart(own).Released; over != nil {
		as.Released = over
	}
	if as.Released != nil && as.Released.Before(as.BookedAt) {
		as.Released = nil
	}
	return &as
}

// OfEither adapts what happened to a booking that others were merged into, whose claims name several people. That another of
// them is shown is no news, where it was a booking of its own before the merge. What else happens is news for each: other
// is the person who is not shown, nil for an event that concerns nobody else.
func OfEither(e *Event, after *BookingRecord, claims []*BookingClaim) (other *Person, news bool) {
	var merged time.Time
	for _, c := range claims {
		if c.How == Merged {
			merged = newest(merged, c.HowAt)
		}
	}
	if merged.IsZero() {
		return nil, true
	}
	shown := match.SearchKey(after.Name)
	for _, c := range claims {
		as := c.Facts.Person()
		switch {
		case match.SearchKey(as.Name) != shown:
			other = cmp.Or(other, &as)
		case e.Corrected && !c.own(fieldName).After(merged) && !c.own(fieldBirth).After(merged) && (as.DOB == nil || equal(DateText(as.DOB), DateText(after.DOB))):
			return nil, false
		}
	}
	if e.Corrected || e.Either || e.IfNotified {
		return nil, true
	}
	return other, true
}
