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

// A kept answer that nests a corrections record is not repeated once the record is withheld, whichever of its facts it shows.
// Sent again, the mutation is done anew and shows what is published then.
func TestAKeptAnswerOfACorrectionsRecordIsForgottenWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess,
		testdb.Offender{GdcID: "1000412", Name: "MARLOWE, TESSA", Institution: "HAYS STATE PRISON"}, testdb.Offender{GdcID: "1000413", Name: "MOONSAIL, ORLA"},
		testdb.Link{Booking: tess.ID, Offender: "1000412"})
	b.happens(t, "evt_1")
	confirm := func(fields string) string {
		return `mutation { giveFeedback(hitId: "hit_1", verdict: CONFIRM) { id record { ` + fields + ` } } }`
	}
	shows := map[string]string{
		"its number":   confirm(`gdcMatch { gdcId }`),
		"its name":     confirm(`gdcMatch { record { name } }`),
		"its address":  confirm(`gdcMatch { correctionsUrl }`),
		"its prison":   confirm(`gdcMatch { record { institution } }`),
		"why it links": confirm(`gdcMatch { reasons confidence }`),
	}
	const nothing = "the booking alone"
	first := map[string]string{nothing: b.once(t, nothing, confirm("name")).body}
	for key, query := range shows {
		a := b.once(t, key, query)
		require.Empty(t, a.Errors, key)
		require.NotContains(t, a.body, `"gdcMatch":null`, key)
		require.Equal(t, a.body, b.once(t, key, query).body, "kept: %s", key)
		first[key] = a.body
	}
	kept := func() (n int) {
		t.Helper()
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from idempotency_keys`).Scan(&n))
		return n
	}
	require.Equal(t, len(first), kept())

	_, err := b.store.Restrict(t.Context(), "1000413", "ann", "an order")
	require.NoError(t, err)
	require.Equal(t, len(first), kept(), "another record is none of theirs")
	_, err = b.store.Restrict(t.Context(), "1000412", "ann", "an order")
	require.NoError(t, err)
	require.Equal(t, 1, kept(), "with the decision itself")
	for key, query := range shows {
		again := b.once(t, key, query)
		require.Empty(t, again.Errors, key)
		require.NotEqual(t, first[key], again.body, key)
		require.Contains(t, again.body, `"gdcMatch":null`, key)
	}
	require.Equal(t, first[nothing], b.once(t, nothing, confirm("name")).body)
}
