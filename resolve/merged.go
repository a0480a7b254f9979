package resolve

import "slices"

// ApartFrom returns the claims of a booking that are, without its merges, of one booking with one of them: those that the same
// merge brought, or those that none brought.
func ApartFrom(claims []*BookingClaim, c *BookingClaim) []*BookingClaim {
	return slices.DeleteFunc(slices.Clone(claims), func(o *BookingClaim) bool {
		if c.How == Merged {
			return o.How != Merged || !o.HowAt.Equal(c.HowAt)
		}
		return o.How == Merged
	})
}

// KnownBy returns a booking as one of its claims knows it, for Reused and OfEarlier. Where others were merged into it, the claim
// has a time of booking of its own, and its booking was over when the claims say so that belong together without the
// merges: a jail may use the one number again while the other one is listed.
func KnownBy(known *BookingRecord, c *BookingClaim, claims []*BookingClaim) *BookingRecord {
	merged := slices.ContainsFunc(claims, func(c *BookingClaim) bool { return c.How == Merged })
	if known == nil || !merged || !c.Facts.Known() {
		return known
	}
	as := *known
	as.BookedAt = c.Facts.BookedAt
	own := ApartFrom(claims, c)
	if out := custodyOf(Leads(own), own, as.BookedAt); out.Released != nil {
		as.Released = out.Released
	}
	if as.Released != nil && as.Released.Before(as.BookedAt) {
		as.Released = nil
	}
	return &as
}
