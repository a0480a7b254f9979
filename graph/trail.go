package graph

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"rollcall/auth"
	"rollcall/models"
)

// did adds to the trail of the caller's account, after it was done. Both interfaces come by here; the settings pages, which
// do not, keep the trail themselves.
func (r *Resolver) did(ctx context.Context, action, subject string) error {
	c, ok := auth.FromContext(ctx)
	if !ok {
		return nil // whoever may change something is known (accountOf)
	}
	return r.store.RecordDeed(ctx, models.Deed{AccountID: c.Account.ID, UserID: c.UserID, KeyID: c.KeyID, Action: action, Subject: subject})
}

// called names a watcher in the trail, also when it is gone.
func called(w *models.Watcher) string { return w.Name + " (" + w.ID + ")" }

// place is where a registration leads, without the path and query, which may hold what only the two sides know.
func place(h *models.Webhook) string {
	u, err := url.Parse(h.URL)
	if err != nil {
		return h.ID
	}
	return u.Host
}

// changed says what a change of a watcher or registration was: most are pauses.
func changed(what string, paused *bool, more bool) string {
	switch {
	case paused == nil || more:
		return what + " changed"
	case *paused:
		return what + " paused"
	}
	return what + " resumed"
}

// replayed leaves a trace of a replay: how many, and of which registration.
func (r *Resolver) replayed(ctx context.Context, p models.Replay, count int) error {
	if p.DryRun {
		return nil
	}
	return r.did(ctx, "deliveries sent again", strings.TrimSpace(strconv.Itoa(count)+" "+p.WebhookID))
}
