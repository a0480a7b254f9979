package graph

import (
	"context"

	"rollcall/auth"
	"rollcall/models"
)

// holderOf gives the id of the caller's account, whose calendars the resolvers work on. Only the plan
// with API access has any (SPEC.md, "Limits").
func holderOf(ctx context.Context) (string, error) {
	c, ok := auth.FromContext(ctx)
	switch {
	case !ok:
		return "", &models.Error{Code: models.CodeUnauthorized, Message: "calendars belong to an account: send an API key"}
	case c.Account.Plan != models.Enterprise:
		return "", &models.Error{Code: models.CodeForbidden, Message: "the plan of this account does not include calendars; they need the Enterprise plan"}
	}
	return c.Account.ID, nil
}
