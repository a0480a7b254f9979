package graph

import (
	"context"

	"rollcall/auth"
	"rollcall/models"
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

// ofAccount makes a loader of records of the caller's account, by an id.
func ofAccount[T any](id func(*T) string, read func(ctx context.Context, account string, ids []string) ([]*T, error)) *loader[string, *T] {
	return newLoader(func(ctx context.Context, ids []string) (map[string]*T, error) {
		account, err := accountOf(ctx, alertsAndWebhooks)
		if err != nil {
			return nil, err
		}
		list, err := read(ctx, account, ids)
		out := make(map[string]*T, len(list))
		for _, v := range list {
			out[id(v)] = v
		}
		return out, err
	})
}

// found gives what a loader loaded, or an error when it is gone since.
func found[T any](v *T, err error) (*T, error) {
	if err == nil && v == nil {
		return nil, models.NotFound("the record is no longer published")
	}
	return v, err
}
