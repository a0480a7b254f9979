package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAlertHasItsHistory(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	b.happens(t, "evt_1")
	const history = `{ alert(id: "alrt_1") { history { by at changes { member from to } } } }`
	require.JSONEq(t, `{"alert": {"history": []}}`, b.data(t, history, nil))
	b.data(t, `mutation { updateAlert(id: "alrt_1", input: {level: WIDE, county: "fulton", events: [RELEASE, BOOKING], note: "ask first"}) { id } }`, nil)
	b.data(t, `mutation { changeAlerts(ids: ["alrt_1"], input: {paused: true}) }`, nil)
	paused := `{"by": "a program", "at": "2026-03-10T15:00:00Z", "changes": [{"member": "PAUSED", "from": "false", "to": "true"}]}`
	require.JSONEq(t, `{"alert": {"history": [`+paused+`,
		{"by": "a program", "at": "2026-03-10T15:00:00Z", "changes": [
			{"member": "COUNTY", "from": null, "to": "fulton"}, {"member": "EVENTS", "from": "booking, release, bond_change", "to": "booking, release"},
			{"member": "LEVEL", "from": "normal", "to": "wide"}, {"member": "NOTE", "from": null, "to": null}]}]}}`, b.data(t, history, nil))

	t.Log("pages follow each other")
	var first struct {
		Alert struct{ History []struct{ ID string } }
	}
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ alert(id: "alrt_1") { history(limit: 1) { id } } }`, nil)), &first))
	require.Len(t, first.Alert.History, 1)
	rest := b.data(t, `query($after: ID) { alert(id: "alrt_1") { history(after: $after) { changes { member } } } }`, map[string]any{"after": first.Alert.History[0].ID})
	require.Contains(t, rest, "COUNTY")
	require.NotContains(t, rest, "PAUSED")
	require.Equal(t, "INVALID_PARAMETER", b.post(t, `{ alert(id: "alrt_1") { history(after: "x") { id } } }`, nil).code(t))
	require.Equal(t, "INVALID_PARAMETER", b.post(t, `{ alert(id: "alrt_1") { history(limit: 201) { id } } }`, nil).code(t))
	require.Equal(t, "LIMIT_EXCEEDED", b.post(t, `{ alerts(limit: 200) { alerts { history(limit: 200) { by changes { from to } } } } }`, nil).code(t))
}

func TestTheInboxIsFollowed(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	stream := b.stream(t, `{"query": "subscription { inbox { unread read assigned confirmed dismissed } }"}`)
	shown := ""
	next := func() string { // what is shown comes again where an event and its hit are noticed one after the other
		_, data := stream()
		for data == shown {
			_, data = stream()
		}
		shown = data
		return data
	}
	counts := func(unread, read, confirmed string) string {
		return `{"data":{"inbox":{"unread":` + unread + `,"read":` + read + `,"assigned":0,"confirmed":` + confirmed + `,"dismissed":0}}}`
	}
	require.Equal(t, counts("0", "0", "0"), next(), "at once")
	b.happens(t, "evt_1")
	require.Equal(t, counts("1", "0", "0"), next(), "a new hit")
	b.data(t, `mutation { markHit(hitId: "hit_1", read: true) { id } }`, nil)
	require.Equal(t, counts("0", "1", "0"), next(), "what a colleague does")
	b.data(t, `mutation { giveFeedback(hitId: "hit_1", verdict: CONFIRM) { id } }`, nil)
	require.Equal(t, counts("0", "0", "1"), next())
	b.happens(t, "evt_2") // of a hit that is known: the counts stay
	b.revoked.Store(true)
	b.happens(t, "evt_3")
	require.Contains(t, next(), "errors", "a key that was revoked hears nothing further")
}
