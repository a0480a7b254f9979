package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/models"
)

func (r *recordChangeResolver) Source(ctx context.Context, obj *models.RecordChange) (*models.Source, error) {
	return sourceOf(ctx, obj.SourceID)
}

func (r *Resolver) RecordChange() generated.RecordChangeResolver { return &recordChangeResolver{r} }

type recordChangeResolver struct{ *Resolver }
