package graph

import (
	"context"
	"log/slog"
	"net/url"

	"rollcall/models"
	"rollcall/models/store"
)

// Resolver is the root of all resolvers (generated.ResolverRoot).
type Resolver struct {
	store   *store.Store
	baseURL string // ends in /v1, without a trailing slash
	usage   UsageReader
	alerts  Alerts
}

// UsageReader tells the use of the caller's request limit.
type UsageReader interface {
	Usage(ctx context.Context) (*models.Usage, error)
}

// NewResolver makes the root. baseURL is ROLLCALL_BASE_URL: full addresses are built from it,
// never from a request's Host.
func NewResolver(store *store.Store, baseURL string, usage UsageReader, alerts Alerts) *Resolver {
	if alerts.Log == nil {
		alerts.Log = slog.New(slog.DiscardHandler)
	}
	return &Resolver{store: store, baseURL: baseURL, usage: usage, alerts: alerts}
}

// rosterURL returns the address of a booking in /v1.
func (r *Resolver) rosterURL(id string) string { return r.baseURL + "/roster/" + url.PathEscape(id) }

// correctionsURL returns the address of a corrections record in /v1.
func (r *Resolver) correctionsURL(gdcID string) string {
	return r.baseURL + "/corrections/" + url.PathEscape(gdcID)
}
