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

// Pick is the value of a field: of the lead claims that tell it the one whose source claims it since the
// latest, of equal ones that of the later run. by is nil when no claim has it.
func Pick[F, V any](leads []*Claim[F], field string, tell func(*F) (V, bool)) (value V, by *Claim[F]) {
	var from time.Time
	for _, c := range leads {
		v, told := tell(&c.Facts)
		if !told {
			continue
		}
		at := c.Of(field)
		if by == nil || at.After(from) || at.Equal(from) && later(&c.Head, &by.Head) {
			value, by, from = v, c, at
		}
	}
	return value, by
}

// later reports whether a claim came to its record after another one, or, of one time, is of a later run.
func later(a, b *Head) bool {
	if c := a.HowAt.Compare(b.HowAt); c != 0 {
		return c > 0
	}
	return a.RunID > b.RunID
}

// Oldest is the claim whose source first reported the record. Takeovers come last: they are nobody's source.
func Oldest[F any](claims []*Claim[F]) *Claim[F] {
	return slices.MinFunc(claims, func(a, b *Claim[F]) int {
		if a.Source.Import != b.Source.Import {
			if a.Source.Import {
				return 1
			}
			return -1
		}
		return cmp.Or(a.FirstAt.Compare(b.FirstAt), cmp.Compare(a.Source.ID, b.Source.ID), cmp.Compare(a.Key, b.Key))
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
