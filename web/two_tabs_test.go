package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestASecondTabDoesNotUndoTheFirst(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	path := w.hooked("https://hooks.example.org/in")
	now := func() *models.Webhook {
		t.Helper()
		h, err := b.store.Webhook(t.Context(), b.account.ID, strings.TrimPrefix(path, "/settings/webhooks/"))
		require.NoError(t, err)
		return h
	}
	seen := w.seen(path) // by both tabs
	require.Equal(t, http.StatusSeeOther, w.post(path, "seen", seen, "url", "https://first.example.org/", "events", "booking", "version", "1").StatusCode)
	require.Equal(t, http.StatusSeeOther, w.post(path+"/pause").StatusCode, "what no form holds is no conflict")
	second := []string{"url", "https://second.example.org/", "events", "release", "version", "2"}
	resp := w.post(path, append(second, "seen", seen)...)
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Equal(t, "https://first.example.org/", now().URL)
	page := text(t, resp)
	require.Contains(t, page, "changed after you opened the page; nothing was saved")
	require.Contains(t, page, `<dd class="address">https://first.example.org/</dd>`, "what is saved")
	require.Contains(t, page, `value="https://second.example.org/"`, "what was written")
	require.Contains(t, page, `name="seen" value="`+w.seen(path)+`"`)
	require.NotContains(t, text(t, w.get(path)), "As it is now")

	t.Log("saved once more, what was written takes its place")
	require.Equal(t, http.StatusSeeOther, w.post(path, append(second, "seen", w.seen(path))...).StatusCode)
	require.Equal(t, "https://second.example.org/", now().URL)
	require.True(t, now().Paused)

	t.Log("the role of a member")
	member := b.user(b.account, "bob@example.org", models.Member, false)
	role := "/settings/members/" + member.ID + "/role"
	require.Contains(t, text(t, w.get("/settings/members")), `name="was" value="member"`)
	require.Equal(t, http.StatusSeeOther, w.post(role, "was", "member", "role", "owner").StatusCode)
	resp = w.post(role, "was", "member", "role", "member")
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, text(t, resp), "The role was changed after you opened the page, so nothing was saved. The current role is shown below; you chose member.")
	u, err := b.store.User(t.Context(), b.account.ID, member.ID)
	require.NoError(t, err)
	require.Equal(t, models.Owner, u.Role)
}

func TestWhatAnotherTabDeletedIsMissedCalmly(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	path := w.hooked("https://hooks.example.org/in")
	seen := w.seen(path)
	require.Equal(t, http.StatusSeeOther, w.post(path+"/delete").StatusCode)
	member := b.user(b.account, "bob@example.org", models.Member, false)
	gone := "/settings/members/" + member.ID
	require.Equal(t, http.StatusSeeOther, w.post(gone+"/remove").StatusCode)
	for to, way := range map[string]string{
		path: "/settings/webhooks", path + "/pause": "/settings/webhooks", path + "/resume": "/settings/webhooks", path + "/enable": "/settings/webhooks",
		path + "/test": "/settings/webhooks", path + "/replay": "/settings/webhooks", path + "/delete": "/settings/webhooks",
		gone + "/role": "/settings/members", gone + "/reset": "/settings/members", gone + "/remove": "/settings/members",
		"/alerts/alrt_gone/delete": "/alerts",
	} {
		resp := w.post(to, "seen", seen, "url", "https://hooks.example.org/", "events", "booking", "was", "member", "role", "owner")
		require.Equal(t, http.StatusNotFound, resp.StatusCode, to)
		require.Contains(t, text(t, resp), `<a class="button" href="`+way+`">`, to)
	}
	require.Equal(t, http.StatusNotFound, w.post("/operator/jobs/999999/cancel").StatusCode)
	require.Equal(t, http.StatusNotFound, w.post("/settings/keys/key_gone/revoke").StatusCode)
}
