package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsDoneLeavesALineInTheTrail(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, tess)
	id := func(answer, field string) map[string]any {
		t.Helper()
		var v map[string]struct{ ID string }
		require.NoError(t, json.Unmarshal([]byte(answer), &v))
		return map[string]any{"id": v[field].ID}
	}
	alert := id(b.data(t, `mutation { createAlert(input: {name: "Tess Marlowe"}) { id } }`, nil), "createAlert")
	b.data(t, `mutation($id: ID!) { updateAlert(id: $id, input: {paused: true}) { id } }`, alert)
	b.data(t, `mutation($id: ID!) { updateAlert(id: $id, input: {paused: false}) { id } }`, alert)
	b.data(t, `mutation($id: ID!) { updateAlert(id: $id, input: {level: WIDE, paused: false}) { id } }`, alert)
	b.data(t, `mutation($id: ID!) { deleteAlert(id: $id) }`, alert)
	require.Equal(t, "NOT_FOUND", b.post(t, `mutation($id: ID!) { deleteAlert(id: $id) }`, alert).code(t), "what was not done leaves no line")
	hook := id(b.data(t, `mutation { createWebhook(input: {url: "https://hooks.desk.example/secret-path", events: [BOOKING]}) { id } }`, nil), "createWebhook")
	id(b.data(t, `mutation($id: ID!) { testWebhook(id: $id) { id } }`, hook), "testWebhook")
	b.data(t, `mutation($id: ID!) { updateWebhook(id: $id, input: {paused: true}) { id } }`, hook)
	b.data(t, `mutation($id: ID!) { deleteWebhook(id: $id) }`, hook)

	events, err := b.store.AccountEvents(t.Context(), b.mine.ID, 0, 50)
	require.NoError(t, err)
	said := make([]string, 0, len(events))
	for _, e := range slices.Backward(events) {
		require.NotEmpty(t, e.Actor)
		said = append(said, e.Action+": "+e.Subject)
	}
	watched := "Tess Marlowe (" + fmt.Sprint(alert["id"]) + ")"
	hooked := "hooks.desk.example (" + fmt.Sprint(hook["id"]) + ")"
	require.Equal(t, []string{
		"alert created: " + watched, "alert paused: " + watched, "alert resumed: " + watched, "alert changed: " + watched, "alert deleted: " + watched,
		"webhook added: " + hooked, "webhook tested: " + hooked, "webhook paused: " + hooked, "webhook deleted: " + hooked,
	}, said)
}
