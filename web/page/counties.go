package page

import (
	"context"

	"rollcall/models"
)

// County is a county where one is chosen.
type County struct {
	*models.County
	// Covered reports whether a source reports its jail: without one nobody is found there.
	Covered bool
	// Chosen reports whether it is the one that was chosen.
	Chosen bool
}

// Choose marks the county with a slug as chosen; "" is none.
func Choose(counties []County, slug string) []County {
	for i := range counties {
		counties[i].Chosen = counties[i].Slug == slug
	}
	return counties
}

// Counties returns all counties, by name.
func (s *Pages) Counties(ctx context.Context) ([]County, error) {
	covered, err := s.Store.CoveredJails(ctx)
	if err != nil {
		return nil, err
	}
	all := s.Store.Counties().All()
	out := make([]County, len(all))
	for i, c := range all {
		out[i] = County{County: c, Covered: covered[c.ID]}
	}
	return out, nil
}
