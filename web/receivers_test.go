package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheListOfAlertsSaysWhenTheyReachNobody(t *testing.T) {
	t.Parallel()
	b := lists(t)
	shown := func() string {
		t.Helper()
		return text(t, b.w.get("/alerts"))
	}
	require.NotContains(t, shown(), "reach no one", "there are none")
	alert := "/alerts/" + b.watch("", "Wren Moonsail")[0]
	about := func() string { return text(t, b.w.get(alert+"?done=created")) }
	require.Contains(t, about(), `Notifies no one yet: <a href="/settings/notify">`)
	require.NotContains(t, about(), "We’ll notify you")
	require.Contains(t, shown(), "These alerts reach no one")
	born, err := b.store.CreateWatcher(t.Context(), b.account.ID, &models.NewWatcher{Name: "Tess Marlowe", Dob: &models.Date{Year: 1990, Month: 2, Day: 28}})
	require.NoError(t, err)
	require.Contains(t, shown(), "born Feb 28, 1990", born.ID)

	hook, err := b.store.CreateWebhook(t.Context(), b.account.ID, &models.NewWebhook{URL: "https://desk.example/hook", Events: models.EventKinds()}, []byte("sealed"))
	require.NoError(t, err)
	require.NotContains(t, shown(), "reach no one")
	require.Contains(t, about(), `Notifies: <a href="/settings/notify">1 webhook</a>`)
	_, err = b.db.Pool.Exec(t.Context(), `update webhooks set status = 'disabled', disabled_reason = 'gone' where id = $1`, hook.ID)
	require.NoError(t, err)
	require.Contains(t, shown(), "reach no one")
	_, err = b.store.CreateAtomSubscription(t.Context(), b.account.ID, "desk", make([]byte, 32))
	require.NoError(t, err)
	require.Contains(t, shown(), "1 receiver of these alerts is disabled")
}
