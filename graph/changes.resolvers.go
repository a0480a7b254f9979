package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/graph/scalar"
	"rollcall/models"
	"rollcall/models/mirror"
)

// Record returns the record of a change, or null when it is not published by now.
func (r *changeResolver) Record(ctx context.Context, obj *mirror.Change) (scalar.Node, error) {
	l, err := loader.From(ctx)
	if err != nil || obj.Kind == mirror.Gone {
		return nil, err
	}
	switch obj.Family {
	case models.Courts:
		return scalar.NodeOf(l.Cases.Load(ctx, obj.Key))
	case models.Corrections:
		return scalar.NodeOf(l.Corrections.Load(ctx, obj.Key))
	}
	return scalar.NodeOf(l.Bookings.Load(ctx, obj.Key))
}

// Changes returns what changed and what went after a cursor, and announces the records to the loaders.
func (r *queryResolver) Changes(ctx context.Context, families []models.Family, after *string, first *int) (*mirror.Page, error) {
	if families != nil && len(families) == 0 {
		return nil, models.Invalid("families", "families must name one of ROSTER, COURTS and CORRECTIONS; leave it out for all")
	}
	ask := mirror.Ask{Families: families, First: mirror.DefaultFirst, After: orZero(after)}
	if first != nil {
		ask.First = *first
	}
	out, err := r.store.ChangesAfter(ctx, ask)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectChanges(ctx, out.Changes)
}

func (r *Resolver) Change() generated.ChangeResolver { return &changeResolver{r} }

type changeResolver struct{ *Resolver }
