package source

import (
	"context"

	"rollcall/models"
)

// JailsRead returns of how many counties a running source reports the jail: of one county, or of all where it is nil. People
// who are booked in the others are found by no watcher.
func (s *Store) JailsRead(ctx context.Context, one *models.County) (int, error) {
	sources, err := s.Sources(ctx)
	if err != nil {
		return 0, err
	}
	of := map[int16]bool{}
	for _, src := range sources {
		if src.Kind != string(models.Roster) || !src.Enabled {
			continue
		}
		counties := src.Coverage()
		if src.County != nil {
			counties = []*models.County{src.County}
		}
		for _, c := range counties {
			if one == nil || c.ID == one.ID {
				of[c.ID] = true
			}
		}
	}
	return len(of), nil
}
