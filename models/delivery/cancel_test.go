package delivery_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/delivery"
	"rollcall/models/internal/modelstest"
)

// underWay makes deliveries of a watcher that are under way: a booking, the notice that it is withheld, and a retraction of
// a release that its receiver got; and one that was delivered.
func (b *bundle) underWay(t *testing.T, w *watched) []string {
	t.Helper()
	of := func(kind models.EventKind, retracts string) string {
		return b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: w.record, Kind: kind, Retracts: retracts})
	}
	release := of(models.EventRelease, "")
	return b.Deliver(t,
		modelstest.Delivery{Webhook: w.webhook.ID, Event: w.event},
		modelstest.Delivery{Webhook: w.webhook.ID, Event: of(models.EventWithheld, "")},
		modelstest.Delivery{Webhook: w.webhook.ID, Event: of(models.EventRetraction, release), State: models.DeliveryFailed},
		modelstest.Delivery{Webhook: w.webhook.ID, Event: release, State: models.DeliveryDelivered, Attempts: 1},
	)
}

// inTx runs a cancellation in a transaction.
func (b *bundle) inTx(t *testing.T, fn func(pgx.Tx) error) {
	t.Helper()
	require.NoError(t, b.Store.InTx(b.Ctx, fn))
}

func TestWhatIsUnderWayEndsWithItsWatcherOrRegistration(t *testing.T) {
	t.Parallel()
	b := setup(t)
	paused, deleted, ended := b.watch(t, "fulton-2026-000001"), b.watch(t, "fulton-2026-000002"), b.watch(t, "fulton-2026-000003")
	ofPaused, ofDeleted, ofEnded := b.underWay(t, paused), b.underWay(t, deleted), b.underWay(t, ended)

	b.inTx(t, func(tx pgx.Tx) error { return delivery.CancelPaused(b.Ctx, tx, b.Now, paused.watcher.ID) })
	require.Equal(t, []string{"dropped paused", "pending", "failed", "delivered"}, b.standing(t, ofPaused...), "what takes something back is sent")
	b.inTx(t, func(tx pgx.Tx) error { return delivery.CancelDeleted(b.Ctx, tx, b.Now, deleted.watcher.ID) })
	require.Equal(t, []string{"dropped cancelled", "dropped cancelled", "dropped cancelled", "delivered"}, b.standing(t, ofDeleted...))
	require.NoError(t, b.Store.DeleteWebhook(b.Ctx, b.account, ended.webhook.ID))
	require.Equal(t, []string{"dropped cancelled", "dropped cancelled", "dropped cancelled", "delivered"}, b.standing(t, ofEnded...))
	require.Nil(t, b.delivery(t, ofEnded[0]).NextAttempt)
}

func TestWhatIsUnderWayOfADismissedPersonEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	ids := b.underWay(t, w)
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000002", Name: "MOONSAIL, WREN"})
	another := b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: "fulton-2026-000002", Kind: models.EventBooking})
	ids = append(ids, b.Deliver(t, modelstest.Delivery{Webhook: w.webhook.ID, Event: another})...)
	var rid int64
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select rid from bookings where id = $1`, w.record).Scan(&rid))
	b.inTx(t, func(tx pgx.Tx) error { return delivery.CancelDismissed(b.Ctx, tx, w.watcher.ID, []int64{rid}, b.Now) })
	require.Equal(t, []string{"dropped dismissed", "pending", "failed", "delivered", "pending"}, b.standing(t, ids...), "of that person, and of nobody else")
}
