package graph

import (
	"context"
	"strings"

	"rollcall/graph/generated"
	"rollcall/graph/scalar"
	"rollcall/models"
)

// Node returns the record of any id that the interface Node has shown. The prefix says which family
// it is of: "gdc-" corrections, "case-" courts, all else roster. Clients treat ids as opaque.
func (r *queryResolver) Node(ctx context.Context, id string) (scalar.Node, error) {
	switch {
	case strings.HasPrefix(id, "gdc-"):
		return r.CorrectionsRecord(ctx, strings.TrimPrefix(id, "gdc-"), nil)
	case strings.HasPrefix(id, "case-"):
		return r.store.CourtCaseByID(ctx, id)
	}
	return r.RosterRecord(ctx, id, nil)
}

// Counties returns all counties of the state. They never change while the program runs.
func (r *queryResolver) Counties(ctx context.Context) ([]*models.County, error) {
	return r.store.Counties().All(), nil
}

func (r *Resolver) Query() generated.QueryResolver { return &queryResolver{r} }

type queryResolver struct{ *Resolver }
