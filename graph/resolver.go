package graph

import (
	"context"
	"log/slog"
	"net/url"
	"time"

	"rollcall/graph/lookback"
	"rollcall/internal/turn"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/photo/vault"
)

// Resolver is the root of all resolvers; it implements generated.ResolverRoot. It is safe for
// concurrent use and holds nothing of a single request: caller and loaders come with the context.
type Resolver struct {
	// Source of every record and of everything that belongs to an account.
	store *store.Store
	// ROLLCALL_BASE_URL: it ends in /v1, without a trailing slash.
	baseURL string
	// Answers the query usage.
	usage UsageReader
	// What resolvers of alerts and webhooks need beside the store.
	alerts Alerts
	// Previews of watchers over a year.
	lookback *lookback.Reader
	// Photographs makes the addresses of photographs; nil: mugshot is null. It is set before the first request.
	Photographs Photographs
}

// Photographs makes signed addresses of photographs; *show.Server does.
type Photographs interface {
	// Address returns an address of the photograph of a booking, by its public id, and until when it works.
	Address(id string, size vault.Size) (string, time.Time)
}

// UsageReader reads how much of its request limit the caller of ctx has used. It is
// auth.Meter behind an adapter that finds the caller.
type UsageReader interface {
	// Usage returns the use of the caller's account. Without a caller it is an error.
	Usage(ctx context.Context) (*models.Usage, error)
}

// NewResolver returns the root of the resolvers. baseURL is ROLLCALL_BASE_URL: full addresses are
// built from it, never from a request's Host, which the client chooses (DECISIONS, "Keys, plans,
// limits, errors"). A nil logger of alerts discards.
func NewResolver(store *store.Store, baseURL string, usage UsageReader, alerts Alerts) *Resolver {
	if alerts.Log == nil {
		alerts.Log = slog.New(slog.DiscardHandler)
	}
	if alerts.Turns == nil {
		alerts.Turns = turn.Half()
	}
	return &Resolver{store: store, baseURL: baseURL, usage: usage, alerts: alerts, lookback: lookback.New(store, alerts.Turns)}
}

// rosterURL returns the address of a booking in /v1.
func (r *Resolver) rosterURL(id string) string { return r.baseURL + "/roster/" + url.PathEscape(id) }

// correctionsURL returns the address of a corrections record in /v1.
func (r *Resolver) correctionsURL(gdcID string) string {
	return r.baseURL + "/corrections/" + url.PathEscape(gdcID)
}
