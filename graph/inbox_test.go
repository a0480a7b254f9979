package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestTheInboxListsHitsWithTheirStateAndCounts(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_1")
	_, err := b.db.Pool.Exec(t.Context(), `insert into users (id, account_id, email, password, role, created_at) values ('user_1', $1, 'bea@example.org', 'x', 'member', now())`, b.mine.ID)
	require.NoError(t, err)
	const list = `{ hits(first: 5) { hits { id state version assignee handledBy handledAt alert { name } record { name } } counts { unread read assigned confirmed dismissed } pageInfo { hasNextPage } } }`
	require.JSONEq(t, `{"hits": {"hits": [{"id": "hit_1", "state": "UNREAD", "version": "0", "assignee": null, "handledBy": null, "handledAt": null,
		"alert": {"name": "Tess Marlowe"}, "record": {"name": "MARLOWE, TESS"}}], "counts": {"unread": 1, "read": 0, "assigned": 0, "confirmed": 0, "dismissed": 0}, "pageInfo": {"hasNextPage": false}}}`, b.data(t, list, nil))

	require.JSONEq(t, `{"assignHit": {"state": "ASSIGNED", "assignee": "bea@example.org", "version": "1", "handledBy": "a program", "handledAt": "2026-03-10T15:00:00Z"}}`,
		b.data(t, `mutation { assignHit(hitId: "hit_1", assignee: "BEA@example.org", ifVersion: "0") { state assignee version handledBy handledAt } }`, nil))
	for _, late := range []string{
		`mutation { giveFeedback(hitId: "hit_1", verdict: CONFIRM, ifVersion: "0") { id } }`,
		`mutation { markHit(hitId: "hit_1", read: true, ifVersion: "0") { id } }`,
		`mutation { assignHit(hitId: "hit_1", assignee: null, ifVersion: "0") { id } }`,
	} {
		a := b.post(t, late, nil)
		require.Equal(t, "CONFLICT", a.code(t), late)
		require.Contains(t, a.body, "a program changed this hit on Mar 10, 11:00 AM ET: it is assigned to bea@example.org now. Your change was not made", late)
	}
	require.JSONEq(t, `{"giveFeedback": {"state": "CONFIRMED", "verdict": "CONFIRM", "version": "2"}}`,
		b.data(t, `mutation { giveFeedback(hitId: "hit_1", verdict: CONFIRM, ifVersion: "1") { state verdict version } }`, nil))
	require.JSONEq(t, `{"hits": {"hits": []}}`, b.data(t, `{ hits(state: [UNREAD, ASSIGNED]) { hits { id } } }`, nil))
	require.JSONEq(t, `{"hits": {"hits": [{"id": "hit_1"}]}}`, b.data(t, `{ hits(state: [CONFIRMED], assignee: "bea@example.org", alert: "alrt_1") { hits { id } } }`, nil))
	require.JSONEq(t, `{"markHit": {"state": "CONFIRMED"}}`, b.data(t, `mutation { markHit(hitId: "hit_1", read: true) { state } }`, nil), "an answer counts first")

	require.Equal(t, "INVALID_PARAMETER", b.post(t, `{ hits(first: 201) { hits { id } } }`, nil).code(t))
	require.Equal(t, "INVALID_PARAMETER", b.post(t, `mutation { assignHit(hitId: "hit_1", assignee: "mallory@example.org") { id } }`, nil).code(t))
	require.JSONEq(t, `{"previewAlert": {"hits": [{"state": "UNREAD", "alert": null, "version": "0"}]}}`, b.data(t, `{ previewAlert(name: "Tess Marlowe") { hits { state alert { id } version } } }`, nil))

	events, err := b.store.AccountEvents(t.Context(), b.mine.ID, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []string{"hit confirmed", "hit assigned"}, []string{events[0].Action, events[1].Action}, "reading leaves no line")
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'maybe juvenile'`)
	require.NoError(t, err)
	events, err = b.store.AccountEvents(t.Context(), b.mine.ID, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []string{"", ""}, []string{events[0].Subject, events[1].Subject}, "no line names a withheld record")
	require.JSONEq(t, `{"hits": {"hits": [], "counts": {"confirmed": 0}}}`, b.data(t, `{ hits { hits { id } counts { confirmed } } }`, nil))
}

func TestAPageOfTheInboxCostsAStatementForEachLevel(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess, testdb.Booking{ID: "fulton-2026-000002", Name: "MARLOWE, TESS B", Changed: testdb.Fetched})
	b.happens(t, "evt_1")
	_, err := b.db.Pool.Exec(t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
 select 'hit_2', h.account_id, h.watcher_id, b.rid, 0.9, '{}', h.at from hits h join bookings b on b.rid <> h.rid`)
	require.NoError(t, err)
	b.statements.take()
	said := b.data(t, `{ hits { hits { alert { name } record { name } events { id } } } }`, nil)
	require.Equal(t, 2, strings.Count(said, `"record"`), said)
	require.Len(t, b.statements.take(), 4, "hits, watchers, bookings, events")
}
