package graph

import (
	"context"

	"rollcall/calendar"
	"rollcall/graph/scalar"
	"rollcall/models"
)

func (r *mutationResolver) CreateCalendarFeed(ctx context.Context, caseID string, label *string) (*scalar.NewCalendarFeed, error) {
	account, err := holderOf(ctx)
	if err != nil {
		return nil, err
	}
	c, err := r.store.CourtCaseByID(ctx, caseID)
	if err != nil {
		return nil, err
	}
	token, sha := calendar.NewToken()
	feed, err := r.store.CreateCalendarFeed(ctx, account, c, orZero(label), sha)
	if err != nil {
		return nil, err
	}
	return &scalar.NewCalendarFeed{Feed: feed, URL: calendar.Address(r.baseURL, token)}, nil
}

func (r *mutationResolver) RevokeCalendarFeed(ctx context.Context, id string) (string, error) {
	account, err := holderOf(ctx)
	if err != nil {
		return "", err
	}
	return id, r.store.RevokeCalendarFeed(ctx, account, id)
}

func (r *queryResolver) CalendarFeeds(ctx context.Context) ([]*models.CalendarFeed, error) {
	account, err := holderOf(ctx)
	if err != nil {
		return nil, err
	}
	out, err := r.store.CalendarFeeds(ctx, account)
	return orEmpty(out), err
}

// !!! WARNING !!!
// The code below was going to be deleted when updating resolvers. It has been copied here so you have
// one last chance to move it out of harms way if you want. There are two reasons this happens:
//  - When renaming or deleting a resolver the old code will be put in here. You can safely delete
//    it when you're done.
//  - You have helper methods in this file. Move them out to keep these resolver files clean.
/*
	func (r *Resolver) Mutation() generated.MutationResolver { return &mutationResolver{r} }
*/
