package graph

import (
	"context"

	"rollcall/models"
)

// Sources returns all sources with their freshness.
func (r *queryResolver) Sources(ctx context.Context) ([]*models.Source, error) {
	return r.store.Sources(ctx)
}
