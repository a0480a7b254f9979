package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/graph/loader"
	"rollcall/models"
)

// Alert returns the watcher of a hit; nil for a hit of a preview.
func (r *alertHitResolver) Alert(ctx context.Context, obj *models.Hit) (*models.Watcher, error) {
	if obj.WatcherID == "" {
		return nil, nil //nolint:nilnil // the schema's null: a hit of a preview
	}
	l, err := loader.From(ctx)
	if err != nil {
		return nil, err
	}
	return l.Watchers.Load(ctx, obj.WatcherID)
}

// Counts returns the hits of the inbox by state.
func (r *hitPageResolver) Counts(ctx context.Context, obj *models.HitPage) (*models.HitCounts, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	counts, err := r.store.HitCounts(ctx, account, obj.Filter)
	return &counts, err
}

// AssignHit assigns a hit to a member of the account, or to nobody.
func (r *mutationResolver) AssignHit(ctx context.Context, hitID string, assignee *string, ifVersion *string) (*models.Hit, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	h, err := r.store.Handle(ctx, account, hitID, handledBy(ctx, models.Handling{Assignee: new(orZero(assignee)), Seen: ifVersion}))
	if err != nil {
		return nil, err
	}
	return h, r.did(ctx, "hit assigned", h.RecordID+" for "+h.WatcherID)
}

// MarkHit marks a hit as read, or as unread again. The trail has no line of it: it changes nothing that anybody is sent.
func (r *mutationResolver) MarkHit(ctx context.Context, hitID string, read bool, ifVersion *string) (*models.Hit, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.store.Handle(ctx, account, hitID, handledBy(ctx, models.Handling{Read: &read, Seen: ifVersion}))
}

// Hits returns a page of the account's inbox, newest first. What hangs below the hits is announced, as for those of a watcher.
func (r *queryResolver) Hits(ctx context.Context, state []models.HitState, assignee *string, alert *string, label *string, first *int, after *string) (*models.HitPage, error) {
	page := models.Page{Limit: models.DefaultLimit, After: orZero(after)}
	if first != nil {
		page.Limit = *first
	}
	if page.Limit < 1 || page.Limit > models.MaxLimit {
		return nil, models.Invalid("first", "first must be between 1 and 200")
	}
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	out, err := r.store.Inbox(ctx, account, models.HitFilter{States: state, Assignee: assignee, Watcher: alert, Label: label}, page)
	if err != nil {
		return nil, err
	}
	return out, loader.ExpectHits(ctx, out.Hits)
}

// Inbox follows the counts of the account's inbox. See followInbox for when it ends.
func (r *subscriptionResolver) Inbox(ctx context.Context) (<-chan *models.HitCounts, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.followInbox(ctx, account), nil
}

func (r *Resolver) HitPage() generated.HitPageResolver { return &hitPageResolver{r} }

type hitPageResolver struct{ *Resolver }
