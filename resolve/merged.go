package resolve

import "slices"

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
