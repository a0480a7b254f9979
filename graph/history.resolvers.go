package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/models"
)

// Source returns the source that reported the change.
func (r *recordChangeResolver) Source(ctx context.Context, obj *models.RecordChange) (*models.Source, error) {
	return sourceOf(ctx, obj.SourceID)
}

func (r *Resolver) RecordChange() generated.RecordChangeResolver { return &recordChangeResolver{r} }

type recordChangeResolver struct{ *Resolver }
