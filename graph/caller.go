package graph

import (
	"context"
	"net/http"

	"rollcall/auth"
	"rollcall/graph/loader"
	"rollcall/graph/transport"
	"rollcall/models"
	"rollcall/models/store"
)

// owned is what belongs to an account. A key opens it with one of its scopes.
type owned struct {
	// name is as the messages of accountOf use it.
	name   string
	scopes []models.Scope
}

var (
	ofRecords  = owned{"records", []models.Scope{models.ScopeRead}}
	ofAlerts   = owned{"alerts", []models.Scope{models.ScopeAlerts}}
	ofWebhooks = owned{"webhooks", []models.Scope{models.ScopeWebhooks}}
	ofMails    = owned{"alerts by e-mail", []models.Scope{models.ScopeWebhooks}}
	ofAtom     = owned{"Atom subscriptions", []models.Scope{models.ScopeAdmin}}
	// What hangs below an alert or a delivery: resolvers above have asked for the scope of their own.
	alertsAndWebhooks = owned{"alerts and webhooks", []models.Scope{models.ScopeAlerts, models.ScopeWebhooks}}
	ofCalendars       = owned{"calendars", []models.Scope{models.ScopeAdmin}}
)

// accountOf returns the id of the caller's account, whose watchers, webhooks and calendars the
// resolvers work on. what names those in the error: CodeUnauthorized without a caller,
// CodeForbidden on a plan without API access (SPEC.md, "Limits") and for a key without the scope.
//
// It is the first call of each of these resolvers, as /v1 runs no directives. A resolver without it
// would answer with what another account watches.
func accountOf(ctx context.Context, what owned) (string, error) {
	c, ok := auth.FromContext(ctx)
	switch {
	case !ok:
		return "", &models.Error{Code: models.CodeUnauthorized, Message: what.name + " belong to an account: send an API key"}
	case c.Account.Suspended() != nil:
		return "", c.Account.Suspended()
	case !c.Account.Entitled():
		return "", &models.Error{Code: models.CodeForbidden, Message: "the plan of this account does not include " + what.name + "; they need the Enterprise plan"}
	case !c.May(what.scopes...):
		return "", &models.Error{Code: models.CodeForbidden, Message: "this key does not open " + what.name + "; use a key with the scope " + string(what.scopes[0])}
	}
	return c.Account.ID, nil
}

// Opens refuses what accountOf refuses, for all that a scope is for. /v1 asks before it reads a request, so that 403 comes before 404,
// 405 and 400 (DECISIONS, "Keys, plans, limits, errors").
func Opens(ctx context.Context, scope models.Scope) error {
	what := ofAlerts
	if scope == models.ScopeWebhooks {
		what = ofWebhooks
	}
	_, err := accountOf(ctx, what)
	return err
}

// handledBy returns a handling of a hit as the caller's.
func handledBy(ctx context.Context, h models.Handling) models.Handling {
	h.Actor = actor(ctx)
	return h
}

// WithLoaders returns ctx with the loaders of one request; resolvers called with it share them.
// Loaders of alerts and webhooks read only those of the caller's account. Resolvers fail in a
// context without loaders, so /v1 calls it too.
func WithLoaders(ctx context.Context, s *store.Store) context.Context {
	return loader.With(ctx, s, func(ctx context.Context) (string, error) { return accountOf(ctx, alertsAndWebhooks) })
}

// NewHandler returns the handler of /graphql (transport.New) with loaders of its own for each answer.
func NewHandler(root *Resolver, o transport.Options) http.Handler {
	return transport.New(root, o, func(ctx context.Context) context.Context {
		return withSources(WithLoaders(ctx, root.store), root.store)
	})
}

// found returns what a loader loaded. A record that went away since its key was read is an error
// here, for fields that the schema says are never null: it was withheld, or deleted.
func found[T any](v *T, err error) (*T, error) {
	if err == nil && v == nil {
		return nil, models.NotFound("the record is no longer published")
	}
	return v, err
}
