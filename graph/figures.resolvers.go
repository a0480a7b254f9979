package graph

import (
	"context"

	"rollcall/models"
)

// CountyStats returns the figures of a county over the last days, 7 to 731; nil is 90.
func (r *queryResolver) CountyStats(ctx context.Context, county string, days *int) (*models.CountyStats, error) {
	return r.store.CountyStats(ctx, county, days)
}
