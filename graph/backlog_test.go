package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// waits puts deliveries on their way to a registration: to be sent now, held back, and failed.
func (b *bundle) waits(t *testing.T, webhook, account string) {
	t.Helper()
	for id, as := range map[string]string{
		"now": `'pending', 0, '2026-03-10T14:58:00Z'`, "later": `'pending', 0, '2026-03-10T15:04:00Z'`, "last": `'pending', 0, '2026-03-10T15:06:00Z'`,
		"again": `'failed', 1, '2026-03-10T15:30:00Z'`,
	} {
		_, err := b.db.Pool.Exec(t.Context(), `insert into deliveries (id, account_id, webhook_id, message_id, kind, body, state, failures, next_attempt, created_at, updated_at)
 values ('dlv_`+id+`_' || $1, $2, $1, 'evt_1', 'booking', '{}', `+as+`, '2026-03-10T14:58:00Z', '2026-03-10T14:58:00Z')`, webhook, account)
		require.NoError(t, err)
	}
}

func TestARegistrationShowsItsBreakerAndWhatWaitsForIt(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.data(t, `mutation { a: createWebhook(input: {url: "https://a.example/", events: [BOOKING]}) { id } b: createWebhook(input: {url: "https://b.example/", events: [BOOKING], paused: true}) { id }
 c: createWebhook(input: {url: "https://c.example/", events: [BOOKING]}) { id } }`, nil)
	page, err := b.store.Webhooks(t.Context(), b.mine.ID, models.Page{Limit: 3})
	require.NoError(t, err)
	for _, h := range page.Webhooks {
		if h.URL == "https://c.example/" {
			b.waits(t, h.ID, b.mine.ID)
			_, err := b.db.Pool.Exec(t.Context(), `update webhooks set failing_since = '2026-03-10T14:00:00Z' where id = $1`, h.ID)
			require.NoError(t, err)
		}
	}
	const about = `url breaker disabledAfter backlog { waiting delayed retrying oldestDue delayedUntil }`
	b.statements.take()
	got := b.data(t, `{ webhooks { `+about+` } }`, nil)
	require.Len(t, b.statements.take(), 4, "one statement for what waits, however many registrations; the others read the page in one snapshot")
	const nothing = `"backlog": {"waiting": 0, "delayed": 0, "retrying": 0, "oldestDue": null, "delayedUntil": null}`
	const some = `"backlog": {"waiting": 1, "delayed": 2, "retrying": 1, "oldestDue": "2026-03-10T14:58:00Z", "delayedUntil": "2026-03-10T15:06:00Z"}`
	for _, want := range []string{
		`{"url":"https://a.example/","breaker":"CLOSED","disabledAfter":null,` + squeeze(nothing) + `}`,
		`{"url":"https://b.example/","breaker":"OPEN","disabledAfter":null,` + squeeze(nothing) + `}`,
		`{"url":"https://c.example/","breaker":"NARROW","disabledAfter":"2026-03-15T14:00:00Z",` + squeeze(some) + `}`,
	} {
		require.Contains(t, got, want)
	}

	_, err = b.store.UpdateAccount(t.Context(), b.mine.ID, models.AccountChange{FloodLimit: new(4)})
	require.NoError(t, err)
	require.JSONEq(t, `{"floodLimit": 4, `+some+`}`, b.data(t, `{ floodLimit backlog { waiting delayed retrying oldestDue delayedUntil } }`, nil))
	b.mine = b.newAccount(t, "else@example.org", models.Enterprise)
	require.JSONEq(t, `{"floodLimit": null, `+nothing+`}`, b.data(t, `{ floodLimit backlog { waiting delayed retrying oldestDue delayedUntil } }`, nil), "of the caller's own account")
}

// squeeze writes JSON as the service does, without blanks.
func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }
