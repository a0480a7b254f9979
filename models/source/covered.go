package source

import (
	"context"

	"rollcall/models"
)

// CoveredJails returns the counties whose jail a running source reports, by id, at most a second old. People who are booked in
// the others are found by no watcher.
func (s *Store) CoveredJails(ctx context.Context) (map[int16]bool, error) {
	sources, err := s.recentSources(ctx)
	if err != nil {
		return nil, err
	}
	covered := map[int16]bool{}
	for _, src := range sources {
		if src.Kind != string(models.Roster) || !src.Enabled {
			continue
		}
		counties := src.Coverage()
		if src.County != nil {
			counties = []*models.County{src.County}
		}
		for _, c := range counties {
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
	if covered[one.ID] {
		return 1, nil
	}
	return 0, nil
}
