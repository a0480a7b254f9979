package graph

import (
	"context"

	"rollcall/models"
)

func (r *queryResolver) Usage(ctx context.Context) (*models.Usage, error) {
	return r.usage.Usage(ctx)
}
