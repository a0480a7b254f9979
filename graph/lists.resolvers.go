package graph

import (
	"context"

	"rollcall/graph/generated"
	"rollcall/internal/plural"
	"rollcall/models/alert"
)

// ImportAlerts watches the names of a CSV, or says what that would do. A list with a line that cannot be taken is no error: its
// lines say what is wrong.
func (r *mutationResolver) ImportAlerts(ctx context.Context, csv string, dryRun *bool, skipErrors *bool) (*generated.AlertImport, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	out, err := r.imported(ctx, account, csv, orZero(dryRun), orZero(skipErrors))
	if err != nil || out.Created == 0 {
		return out, err
	}
	return out, r.did(ctx, "alerts imported", plural.Of(out.Created, "alert"))
}

// ChangeAlerts changes many watchers at once.
func (r *mutationResolver) ChangeAlerts(ctx context.Context, label *string, ids []string, input generated.ChangeAlertsInput) (int, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return 0, err
	}
	which, err := chosen(label, ids)
	if err != nil {
		return 0, err
	}
	out, err := r.store.ChangeWatchers(ctx, account, which, alert.ManyChange{Paused: input.Paused, Level: input.Level, Label: input.Label, By: actor(ctx)})
	if err != nil || out.Done == 0 {
		return 0, err
	}
	return out.Done, r.did(ctx, changed("alerts", input.Paused, input.Level != nil || input.Label != nil), many(out.Done, label))
}

// DeleteAlerts deletes many watchers at once.
func (r *mutationResolver) DeleteAlerts(ctx context.Context, label *string, ids []string) (int, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return 0, err
	}
	which, err := chosen(label, ids)
	if err != nil {
		return 0, err
	}
	out, err := r.store.DeleteWatchers(ctx, account, which)
	if err != nil {
		return 0, err
	}
	return out.Done, r.did(ctx, "alerts deleted", many(out.Done, label))
}

// AlertLabels returns the labels of the account's watchers.
func (r *queryResolver) AlertLabels(ctx context.Context) ([]*alert.Label, error) {
	account, err := accountOf(ctx, ofAlerts)
	if err != nil {
		return nil, err
	}
	return r.store.WatcherLabels(ctx, account)
}
