package alert_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/internal/modelstest"
)

func TestOnlyWhatIsOverExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t)
	b.Book(t,
		modelstest.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", Released: "2026-03-02T12:00:00Z"},
		modelstest.Booking{ID: "fulton-2026-000002", Name: "MOONSAIL, WREN"},
		modelstest.Booking{ID: "fulton-2026-000003", Name: "MOONSAIL, WREN", Released: "2026-03-02T12:00:00Z"},
	)
	hook := b.register(t, a.account)
	over, goesOn, judged := b.event(t, a, "fulton-2026-000001", models.EventRelease), b.event(t, a, "fulton-2026-000002", models.EventBooking),
		b.event(t, a, "fulton-2026-000003", models.EventRelease)
	b.Exec(t, `update hits set feedback = 'dismiss', feedback_at = at where rid = $1`, b.rid(t, "fulton-2026-000003"))
	b.Deliver(t,
		modelstest.Delivery{Webhook: hook.ID, Event: over, State: models.DeliveryDelivered},
		modelstest.Delivery{Webhook: hook.ID, Event: goesOn, State: models.DeliveryFailed},
		modelstest.Delivery{Webhook: hook.ID, Event: judged, State: models.DeliveryDropped, Reason: models.DropDismissed},
	)
	b.notice(t, a.account, models.EventSourceStale)
	keep := alert.Retention{Deliveries: 24 * time.Hour, Events: 48 * time.Hour}
	gone, err := b.Store.ExpireAlerts(b.Ctx, keep)
	require.NoError(t, err)
	require.Zero(t, gone)

	b.Now = b.Now.Add(30 * time.Hour)
	gone, err = b.Store.ExpireAlerts(b.Ctx, keep)
	require.NoError(t, err)
	require.Equal(t, alert.Expired{Deliveries: 2}, gone, "what is under way is kept, and what somebody was told of")
	b.Now = b.Now.Add(30 * time.Hour)
	gone, err = b.Store.ExpireAlerts(b.Ctx, keep)
	require.NoError(t, err)
	require.Equal(t, alert.Expired{Events: 3, Changes: 2}, gone, "how a source stood last is kept, and a stay that goes on")
	var hits, batches int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select (select count(*) from hits), (select count(*) from change_batches)`).Scan(&hits, &batches))
	require.Equal(t, []int{2, 2}, []int{hits, batches}, "a dismissal outlasts what it was of")
}
