package source

import (
	"context"

	"rollcall/models"
)

// Covered are the counties whose jail a running source reports, by id. People who are booked in the others are found by no
// watcher. What was taken over from another system is never read again and covers nobody.
type Covered map[int16]bool

// Has reports whether a watcher of a county can find anybody: of one county, or of all where it is nil.
func (c Covered) Has(one *models.County) bool {
	if one == nil {
		return len(c) > 0
	}
	return c[one.ID]
}

// CoveredJails returns the counties that are covered, at most a second old.
func (s *Store) CoveredJails(ctx context.Context) (Covered, error) {
	sources, err := s.recentSources(ctx)
	if err != nil {
		return nil, err
	}
	covered := Covered{}
	for _, src := range sources {
		if src.Kind != string(models.Roster) || !src.Enabled || src.Imported {
			continue
		}
		for _, c := range src.Counties() {
			covered[c.ID] = true
		}
	}
	return covered, nil
}

// JailsCovered returns how many counties CoveredJails has: of one county, or of all where it is nil.
func (s *Store) JailsCovered(ctx context.Context, one *models.County) (int, error) {
	covered, err := s.CoveredJails(ctx)
	if one == nil || err != nil {
		return len(covered), err
	}
	if covered.Has(one) {
		return 1, nil
	}
	return 0, nil
}
