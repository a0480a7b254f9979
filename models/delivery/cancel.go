package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CancelDeleted drops what is under way of deleted watchers, with reason cancelled, in the transaction that
// deletes it. A request that is on the wire at this moment may arrive; it is not tried again. This holds for
// the other reasons too.
func CancelDeleted(ctx context.Context, tx pgx.Tx, now time.Time, watcherIDs ...string) error {
	return cancel(ctx, tx, "cancel_for_watcher", pgx.NamedArgs{"watchers": watcherIDs, "owed": true, "why": models.DropCancelled, "now": now})
}

// CancelPaused drops what is under way of paused watchers, with reason paused, except what takes something
// back that a receiver got (docs/decisions/0008-stopped-alerts.md).
func CancelPaused(ctx context.Context, tx pgx.Tx, now time.Time, watcherIDs ...string) error {
	return cancel(ctx, tx, "cancel_for_watcher", pgx.NamedArgs{"watchers": watcherIDs, "owed": false, "why": models.DropPaused, "now": now})
}

// CancelDismissed drops what is under way of a watcher about the bookings rids, whose person was dismissed,
// with reason dismissed. What takes something back that a receiver got stays.
func CancelDismissed(ctx context.Context, tx pgx.Tx, watcherID string, rids []int64, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_people", pgx.NamedArgs{"watcher": watcherID, "rids": rids, "why": models.DropDismissed, "now": now})
}

// CancelAccount drops what is under way of an account that is suspended or no longer Enterprise, with reason plan.
func CancelAccount(ctx context.Context, tx pgx.Tx, accountID string, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_account", pgx.NamedArgs{"account": accountID, "why": models.DropPlan, "now": now})
}

// cancelWebhook drops what is under way to a deleted endpoint, retractions included: there is nowhere to send
// them.
func cancelWebhook(ctx context.Context, tx pgx.Tx, webhookID string, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_webhook", pgx.NamedArgs{"webhook": webhookID, "why": models.DropCancelled, "now": now})
}

// cancel runs a statement that drops deliveries. Each locks its rows in the order of their ids, as
// RecordAttempts does.
func cancel(ctx context.Context, tx pgx.Tx, statement string, args pgx.NamedArgs) error {
	if _, err := tx.Exec(ctx, statements.Get(statement), args); err != nil {
		return fmt.Errorf("cancel deliveries: %w", err)
	}
	return nil
}
