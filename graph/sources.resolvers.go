package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/models"
)

func (r *queryResolver) Sources(ctx context.Context) ([]*models.Source, error) {
	return r.store.Sources(ctx)
}

func (r *sourceResolver) Counties(ctx context.Context, obj *models.Source) ([]*models.County, error) {
	out := make([]*models.County, len(obj.Covers))
	for i, id := range obj.Covers {
		out[i] = r.store.Counties().ByID(id)
	}
	return out, nil
}

func (r *Resolver) Source() generated.SourceResolver { return &sourceResolver{r} }

type sourceResolver struct{ *Resolver }
