package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// A delivery that is sent again may be asked for the facts of its booking without any id.
func TestAKeptAnswerOfADeliveryIsForgottenWithItsBooking(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_1")
	b.data(t, `mutation { createWebhook(input: {url: "https://a.example/", events: [BOND_CHANGE]}) { id } }`, nil)
	_, err := b.db.Pool.Exec(t.Context(), `insert into deliveries (id, account_id, webhook_id, event_id, message_id, watcher_id, kind, body, match, state, reason, attempts, created_at, updated_at)
 select 'dlv_1', w.account_id, w.id, 'evt_1', 'evt_1', 'alrt_1', 'bond_change', '{"record":{"id":"fulton-2026-000001","name":"MARLOWE, TESS"}}', '{"probability":0.9,"level":"normal","reasons":["same name"]}'::jsonb, 'dropped', 'exhausted', 4, '2026-03-10T14:58:00Z', '2026-03-10T14:58:00Z' from webhooks w`)
	require.NoError(t, err)
	a := b.once(t, "facts", `mutation { redeliver(deliveryId: "dlv_1") { facts { name county { name } bookingDate } } }`)
	require.Empty(t, a.Errors)
	var n int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from idempotency_keys k join bookings on rid = any(k.bookings) where key = 'facts'`).Scan(&n))
	require.Equal(t, 1, n)
}

// The calendar of a case shows its number without the case's id.
func TestAKeptAnswerOfACalendarIsForgottenWithItsCase(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, testdb.Case{Number: "26-CR-7", Defendant: "ROE, RAY"})
	var id string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select 'case-' || k.slug || '-' || c.id from court_cases c join counties k on k.id = c.county_id`).Scan(&id))
	a := b.once(t, "calendar", `mutation { createCalendarFeed(caseId: "`+id+`", label: "Desk") { url feed { caseNumber county { slug } } } }`)
	require.Empty(t, a.Errors, a.body)
	var n int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from idempotency_keys k join court_cases on id = any(k.court_cases) where key = 'calendar'`).Scan(&n))
	require.Equal(t, 1, n)
}
