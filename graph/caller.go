package graph

import (
	"context"

	"rollcall/auth"
	"rollcall/graph/loader"
	"rollcall/models"
	"rollcall/models/store"
)

// What belongs to an account, as accountOf says it.
const (
	alertsAndWebhooks = "alerts and webhooks"
	calendars         = "calendars"
)

// accountOf returns the id of the caller's account, whose watchers, webhooks and calendars the resolvers work on; what
// names those that are asked for. It is the first call of each of these resolvers: nobody reaches those of another
// account, and only the plan with API access has any (SPEC.md, "Limits").
func accountOf(ctx context.Context, what string) (string, error) {
	c, ok := auth.FromContext(ctx)
	switch {
	case !ok:
		return "", &models.Error{Code: models.CodeUnauthorized, Message: what + " belong to an account: send an API key"}
	case c.Account.Plan != models.Enterprise:
		return "", &models.Error{Code: models.CodeForbidden, Message: "the plan of this account does not include " + what + "; they need the Enterprise plan"}
	}
	return c.Account.ID, nil
}

// WithLoaders returns ctx with the loaders of one request; resolvers called with it share them. Loaders of alerts and
// webhooks read those of the caller's account alone.
func WithLoaders(ctx context.Context, s *store.Store) context.Context {
	return loader.With(ctx, s, func(ctx context.Context) (string, error) { return accountOf(ctx, alertsAndWebhooks) })
}

// found gives what a loader loaded, or an error when it is gone since.
func found[T any](v *T, err error) (*T, error) {
	if err == nil && v == nil {
		return nil, models.NotFound("the record is no longer published")
	}
	return v, err
}
