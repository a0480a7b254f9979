package graph

import (
	"context"

	"rollcall/models"
)

// Usage returns how much of its request limit the caller's account has used.
func (r *queryResolver) Usage(ctx context.Context) (*models.Usage, error) {
	return r.usage.Usage(ctx)
}
