package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestWhatAnEndpointMissedIsCountedAndSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as(u.Email)
	path := w.hooked("https://hooks.example.org/in")
	for range 3 {
		require.Equal(t, http.StatusSeeOther, w.post(path+"/test").StatusCode)
	}
	_, err := b.db.Pool.Exec(t.Context(), `update deliveries set state = 'dropped', reason = 'exhausted', next_attempt = null, created_at = '2026-03-08T06:30:00Z', updated_at = '2026-03-08T06:30:00Z'`)
	require.NoError(t, err)
	pending := func() (n int) {
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from deliveries where state = 'pending'`).Scan(&n))
		return n
	}
	night := []string{"from", "2026-03-08T01:30", "to", "2026-03-08T03:00", "dropped", "yes"} // Georgia's clock went forward at 2
	counted := text(t, w.post(path+"/replay", night...))
	require.Contains(t, counted, "<b>3</b> deliveries would be sent again")
	require.Contains(t, counted, `value="2026-03-08T01:30"`, "the form stays as it was filled in")
	require.Zero(t, pending(), "counting sends nothing")
	for name, form := range map[string][]string{
		"outside the time is nothing":       {"from", "2026-03-08T01:31", "to", "2026-03-08T03:00", "dropped", "yes", "sure", "3"},
		"what was delivered is not dropped": {"from", "2026-03-08T01:30", "to", "2026-03-08T03:00", "delivered", "yes", "sure", "3"},
	} {
		require.Contains(t, text(t, w.post(path+"/replay", form...)), " in this period.", name)
	}
	for name, form := range map[string][]string{
		"Write the times as":     {"from", "yesterday", "dropped", "yes"},
		"Choose what to send":    {"from", "", "to", ""},
		"From must not be after": {"from", "2026-03-09T00:00", "to", "2026-03-08T00:00", "dropped", "yes"},
	} {
		require.Contains(t, text(t, w.post(path+"/replay", form...)), name)
	}

	t.Log("what was not counted is not sent")
	require.Contains(t, text(t, w.post(path+"/replay", append(night, "sure", "2")...)), "<b>3</b> deliveries")
	require.Zero(t, pending())
	require.Equal(t, path+"?done=hook-replayed#replay", w.post(path+"/replay", append(night, "sure", "3")...).Header.Get("Location"))
	require.Equal(t, 3, pending())
	_, card, _ := strings.Cut(text(t, w.get(path+"?done=hook-replayed")), `id="replay"`)
	card, _, _ = strings.Cut(card, "</section>")
	require.Contains(t, card, `role="status">They are being sent again.`, "said beside the button, where the reader is")
	require.Contains(t, text(t, w.get("/settings/trail")), "deliveries sent again")

	t.Log("another account's endpoint is not there")
	other := b.newAccount("other@example.org", models.Enterprise)
	require.Equal(t, http.StatusNotFound, b.as(b.user(other, "eve@example.org", models.Owner, false).Email).post(path+"/replay", night...).StatusCode)
}
