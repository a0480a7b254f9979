package graph

import (
	"context"

	"rollcall/calendar"
	"rollcall/graph/scalar"
	"rollcall/internal/pathtoken"
	"rollcall/models"
)

// CreateCalendarFeed subscribes the account to the hearings of a case. The address holds a token
// and is returned only here; the store has its SHA-256.
func (r *mutationResolver) CreateCalendarFeed(ctx context.Context, caseID string, label *string) (*scalar.NewCalendarFeed, error) {
	account, err := accountOf(ctx, ofCalendars)
	if err != nil {
		return nil, err
	}
	c, err := r.store.CourtCaseByID(ctx, caseID)
	if err != nil {
		return nil, err
	}
	token, sha := pathtoken.New()
	feed, err := r.store.CreateCalendarSubscription(ctx, account, c, orZero(label), sha)
	if err != nil {
		return nil, err
	}
	return &scalar.NewCalendarFeed{Feed: feed, URL: pathtoken.Address(r.baseURL, token, calendar.File)}, r.did(ctx, "calendar address created", c.CaseNumber)
}

// RevokeCalendarFeed ends a subscription; its address answers 404 from then on.
func (r *mutationResolver) RevokeCalendarFeed(ctx context.Context, id string) (string, error) {
	account, err := accountOf(ctx, ofCalendars)
	if err != nil {
		return "", err
	}
	if err := r.store.RevokeCalendarSubscription(ctx, account, id); err != nil {
		return "", err
	}
	return id, r.did(ctx, "calendar address ended", id)
}

// CalendarFeeds returns the account's calendar subscriptions, without their addresses.
func (r *queryResolver) CalendarFeeds(ctx context.Context) ([]*models.CalendarSubscription, error) {
	account, err := accountOf(ctx, ofCalendars)
	if err != nil {
		return nil, err
	}
	out, err := r.store.CalendarSubscriptions(ctx, account)
	return orEmpty(out), err
}
