package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// CancelDeleted drops what is under way of a watcher that was deleted, reason cancelled. What is on the wire at this moment
// may land; it is not tried again. This holds for the other reasons too.
func CancelDeleted(ctx context.Context, tx pgx.Tx, watcherID string, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_watcher", pgx.NamedArgs{"watcher": watcherID, "owed": true, "why": models.DropCancelled, "now": now})
}

// CancelPaused drops what is under way of a watcher that was paused, reason paused, save what takes something back that a
// receiver got.
func CancelPaused(ctx context.Context, tx pgx.Tx, watcherID string, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_watcher", pgx.NamedArgs{"watcher": watcherID, "owed": false, "why": models.DropPaused, "now": now})
}

// CancelDismissed drops what is under way of a watcher about bookings whose person was dismissed, reason dismissed, save
// what takes something back that a receiver got.
func CancelDismissed(ctx context.Context, tx pgx.Tx, watcherID string, rids []int64, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_people", pgx.NamedArgs{"watcher": watcherID, "rids": rids, "why": models.DropDismissed, "now": now})
}

// cancelWebhook drops what is under way to a registration that was deleted.
func cancelWebhook(ctx context.Context, tx pgx.Tx, webhookID string, now time.Time) error {
	return cancel(ctx, tx, "cancel_for_webhook", pgx.NamedArgs{"webhook": webhookID, "why": models.DropCancelled, "now": now})
}

func cancel(ctx context.Context, tx pgx.Tx, statement string, args pgx.NamedArgs) error {
	if _, err := tx.Exec(ctx, statements.Get(statement), args); err != nil {
		return fmt.Errorf("cancel deliveries: %w", err)
	}
	return nil
}
