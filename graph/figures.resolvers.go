package graph

import (
	"context"

	"rollcall/models"
)

func (r *queryResolver) CountyStats(ctx context.Context, county string, days *int) (*models.CountyStats, error) {
	return r.store.CountyStats(ctx, county, days)
}
