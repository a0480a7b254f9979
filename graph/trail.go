package graph

import (
	"context"

	"rollcall/auth"
	"rollcall/internal/plural"
	"rollcall/models"
)

// did records a change in the trail of the caller's account, after it was made. Both interfaces
// record through it; the settings pages, which call no resolver, record their own.
func (r *Resolver) did(ctx context.Context, action, subject string) error {
	c, ok := auth.FromContext(ctx)
	if !ok {
		return nil // accountOf has refused changes without a caller
	}
	return r.store.RecordDeed(ctx, models.Deed{Actor: actor(ctx), AccountID: c.Account.ID, Action: action, Subject: subject})
}

// actor returns who calls.
func actor(ctx context.Context) (a models.Actor) {
	if c, ok := auth.FromContext(ctx); ok {
		a = models.Actor{UserID: c.UserID, KeyID: c.KeyID}
	}
	return a
}

// called names a watcher in the trail, so that it can be recognised after it is deleted.
func called(w *models.Watcher) string { return w.Name + " (" + w.ID + ")" }

// changed names a change of a watcher or endpoint in the trail. Most changes are pauses; more
// reports whether anything else changed with it.
func changed(what string, paused *bool, more bool) string {
	switch {
	case paused == nil || more:
		return what + " changed"
	case *paused:
		return what + " paused"
	}
	return what + " resumed"
}

// replayed records a replay: how many deliveries, and of which endpoint. A dry run changes nothing
// and leaves no trace.
func (r *Resolver) replayed(ctx context.Context, p models.Replay, count int) error {
	if p.DryRun {
		return nil
	}
	about := plural.Of(count, "delivery", "deliveries")
	if p.WebhookID != "" {
		about += " to " + p.WebhookID
	}
	return r.did(ctx, "deliveries sent again", about)
}
