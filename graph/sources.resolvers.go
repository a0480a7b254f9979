package graph

import (
	"context"

	"rollcall/models"
)

func (r *queryResolver) Sources(ctx context.Context) ([]*models.Source, error) {
	return r.store.Sources(ctx)
}
