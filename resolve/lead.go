package resolve

import (
	"cmp"
	"slices"
	"time"
)

// Leads picks the lead claim of each source: one that is listed before one that is absent, the record's
// own before one that a merge brought, of merged ones the one merged last, then the newest. The other
// claims of the source only keep the record present and add evidence of age. Sources are in the order of
// their ids.
func Leads[F any](claims []*Claim[F]) []*Claim[F] {
	by := map[string]*Claim[F]{}
	for _, c := range claims {
		if lead := by[c.Source.ID]; lead == nil || leads(&c.Head, &lead.Head) {
			by[c.Source.ID] = c
		}
	}
	out := make([]*Claim[F], 0, len(by))
	for _, c := range by {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *Claim[F]) int { return cmp.Compare(a.Source.ID, b.Source.ID) })
	return out
}

// leads reports whether a goes before b, two claims of one source.
func leads(a, b *Head) bool {
	if a.Listed() != b.Listed() {
		return a.Listed()
	}
	if (a.How == Merged) != (b.How == Merged) {
		return b.How == Merged
	}
	if a.How == Merged && !a.HowAt.Equal(b.HowAt) {
		return a.HowAt.After(b.HowAt)
	}
	if c := a.SaidAt.Compare(b.SaidAt); c != 0 {
		return c > 0
	}
	return cmp.Or(cmp.Compare(a.Stay, b.Stay), cmp.Compare(a.Key, b.Key)) < 0
}

// Pick is the value of a field: of the lead claims that state it, the one whose source has stated it since the
// latest, of equal ones that of the later run. What a claim said before a merge brought it is worth less than what any
// other source says. by is nil when no claim has it.
func Pick[F, V any](leads []*Claim[F], field string, tell func(*F) (V, bool)) (value V, by *Claim[F]) {
	var from time.Time
	for _, c := range leads {
		v, told := tell(&c.Facts)
		if !told {
			continue
		}
		at := c.countsSince(field)
		if by == nil || at.After(from) || at.Equal(from) && later(&c.Head, &by.Head) {
			value, by, from = v, c, at
		}
	}
	return value, by
}

// countsSince is Of, but that what a claim said before a merge brought it overrules nobody, as if it were a takeover.
func (h *Head) countsSince(field string) time.Time {
	at := h.Of(field)
	if h.BeforeMerge(at) {
		return time.Time{}
	}
	return at
}

// later reports whether a claim came to its record after another one, or, of one time, is of a later run.
func later(a, b *Head) bool {
	if c := a.HowAt.Compare(b.HowAt); c != 0 {
		return c > 0
	}
	return a.RunID > b.RunID
}

// Oldest is the claim whose source first reported the record. One that a merge brought reported another record, and
// takeovers come last: they are nobody's source.
func Oldest[F any](claims []*Claim[F]) *Claim[F] {
	rank := func(c *Claim[F]) int {
		switch {
		case c.Source.Import:
			return 2
		case c.How == Merged:
			return 1
		}
		return 0
	}
	return slices.MinFunc(claims, func(a, b *Claim[F]) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.FirstAt.Compare(b.FirstAt), cmp.Compare(a.Source.ID, b.Source.ID), cmp.Compare(a.Key, b.Key))
	})
}

// speaking are the claims whose birth counts: that of a lead, and of the other claims of its source where the lead states
// none, or the same in part.
func speaking[F any](claims []*Claim[F]) []*Claim[F] {
	leads := map[string]*Claim[F]{}
	for _, c := range Leads(claims) {
		leads[c.Source.ID] = c
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c *Claim[F]) bool {
		lead := leads[c.Source.ID]
		return c != lead && (lead.Age.Birth != nil || lead.Age.Year != 0 && lead.Age.Year != c.Age.Year)
	})
}

// SaidAt is the instant of the newest row of the claims.
func SaidAt[F any](claims []*Claim[F]) (at time.Time) {
	for _, c := range claims {
		at = newest(at, c.SaidAt)
	}
	return at
}

// lastSeen is when a source last showed one of the claims, or showed the record before.
func lastSeen[F any](claims []*Claim[F], before time.Time) time.Time {
	for _, c := range claims {
		before = newest(before, c.LastSeen())
	}
	return before
}
