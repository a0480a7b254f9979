package graph

import (
	"context"
	"strings"

	"rollcall/graph/generated"
	"rollcall/graph/scalar"
	"rollcall/models"
)

func (r *queryResolver) Node(ctx context.Context, id string) (scalar.Node, error) {
	switch {
	case strings.HasPrefix(id, "gdc-"):
		return r.CorrectionsRecord(ctx, strings.TrimPrefix(id, "gdc-"), nil)
	case strings.HasPrefix(id, "case-"):
		return r.store.CourtCaseByID(ctx, id)
	}
	return r.RosterRecord(ctx, id, nil)
}

func (r *queryResolver) Counties(ctx context.Context) ([]*models.County, error) {
	return r.store.Counties().All(), nil
}

func (r *Resolver) Query() generated.QueryResolver { return &queryResolver{r} }

type queryResolver struct{ *Resolver }
