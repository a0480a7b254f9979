package graph

import (
	"context"
	"log/slog"
	"time"

	"rollcall/models"
)

// Alerts is what the resolvers of alerts and webhooks need beside the store.
type Alerts struct {
	// Checks addresses and makes secrets; its type stands here because graph must not import the notifier.
	Endpoints Endpoints
	// Standing says whether the caller of ctx may still be answered. It is asked before each event of a
	// subscription, which would otherwise outlive its key. Nil: always, so that only tests leave it out.
	Standing func(ctx context.Context) error
	Closing  <-chan struct{} // closed when subscriptions have to end; nil: never
	Log      *slog.Logger    // default: discards
}

// Endpoints is what package notifier knows of the addresses that receive events.
type Endpoints interface {
	// CheckURL says whether an address may be registered; its error is a sentence for whoever registers.
	CheckURL(ctx context.Context, address string) error
	// NewSecret makes a webhook secret for an account, sealed for storage.
	NewSecret(accountID string) []byte
	// TestBody gives the bytes of a test delivery with that webhook-id, time and payload version.
	TestBody(id string, at time.Time, version int) ([]byte, error)
}

// checkURL refuses an address that webhooks may not go to.
func (r *Resolver) checkURL(ctx context.Context, address string) error {
	if err := r.alerts.Endpoints.CheckURL(ctx, address); err != nil {
		return models.InvalidBody("url", err.Error())
	}
	return nil
}

// notices converts words that the schema has checked.
func notices(words []string) []models.Notice {
	if words == nil {
		return nil
	}
	out := make([]models.Notice, len(words))
	for i, w := range words {
		out[i] = models.Notice(w)
	}
	return out
}

// given points to a list that was given: nil stands for an argument that is absent or null.
func given[T any](list []T) *[]T {
	if list == nil {
		return nil
	}
	return &list
}
