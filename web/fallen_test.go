package web_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// calendarOf makes the address of a calendar of the account, and gives that of the form that ends it.
func (b *bundle) calendarOf(t *testing.T) string {
	t.Helper()
	b.db.Add(t, testdb.Case{Number: "26-CR-0042", Defendant: "MOONSAIL, WREN"})
	cases, err := b.store.ListCourtCases(t.Context(), models.CourtFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	f, err := b.store.CreateCalendarSubscription(t.Context(), b.account.ID, cases.Records[0], "desk", make([]byte, 32))
	require.NoError(t, err)
	return "/settings/calendars/" + f.ID + "/end"
}

func TestAnAccountThatFellFromItsPlanTakesAwayWhatItHad(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	w := b.as("ada@example.org")
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "production", "expires", "never").StatusCode)
	kept, gone := w.hooked("https://hooks.example.org/kept"), w.hooked("https://hooks.example.org/gone")
	var watched []string
	for _, name := range []string{"Wren Moonsail", "Oriel Tidewater"} {
		a, err := b.store.CreateWatcher(t.Context(), b.account.ID, &models.NewWatcher{Name: name})
		require.NoError(t, err)
		watched = append(watched, "/alerts/"+a.ID)
	}
	feed := b.calendarOf(t)
	for _, plan := range []models.Plan{models.Pro, models.Free} {
		_, err := b.db.Pool.Exec(t.Context(), `update accounts set plan = $1`, plan)
		require.NoError(t, err)

		t.Log("its pages list what there is, and say what is closed and why")
		page := text(t, w.get("/settings/webhooks"))
		require.Contains(t, page, "Webhooks belong to the Enterprise plan")
		require.Contains(t, page, "News Desk is on the "+map[models.Plan]string{models.Pro: "Pro", models.Free: "Free"}[plan]+" plan")
		require.Contains(t, page, "but alerts find nothing and nothing is sent")
		require.Contains(t, page, `href="`+kept+`"`)
		require.NotContains(t, page, `<form class="fields" method="post" action="/settings/webhooks"`)
		page = text(t, w.get(kept))
		require.Contains(t, page, "You can only pause or delete this endpoint")
		for _, closed := range []string{kept + `"`, kept + `/test"`, kept + `/replay#replay"`, kept + `/resume"`, kept + `/enable"`} {
			require.NotContains(t, page, `action="`+closed)
		}
		for _, action := range []string{"", "/test", "/replay", "/resume", "/enable"} {
			require.Equal(t, http.StatusForbidden, w.post(kept+action, "url", "https://hooks.example.org/", "events", "booking").StatusCode, action)
		}
		page = text(t, w.get("/alerts"))
		require.Contains(t, page, "Alerts belong to the Enterprise plan")
		require.Contains(t, page, "Oriel Tidewater")
		require.NotContains(t, page, "/alerts/new")
		require.Contains(t, text(t, w.get("/settings/keys")), "You can still revoke keys here")
	}

	t.Log("an endpoint is paused and deleted")
	require.Contains(t, w.post(kept+"/pause").Header.Get("Location"), "done=hook-paused")
	require.Contains(t, text(t, w.get(kept)), "It is paused. Nothing is sent to it")
	require.Equal(t, "/settings/webhooks?done=hook-deleted", w.post(gone+"/delete").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, w.post(gone+"/delete").StatusCode)

	t.Log("an alert is paused and deleted")
	require.Equal(t, "/alerts?done=alert-paused", w.post(watched[0]+"/pause").Header.Get("Location"))
	require.Contains(t, text(t, w.get("/alerts")), "paused</span>")
	require.Equal(t, "/alerts?done=alert-deleted", w.post(watched[1]+"/delete").Header.Get("Location"))
	require.NotContains(t, text(t, w.get("/alerts")), "Oriel Tidewater")
	require.Equal(t, http.StatusNotFound, w.post(watched[1]+"/delete").StatusCode)

	t.Log("a key is revoked")
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Equal(t, "/settings/keys?done=revoked&key="+keys[0].ID, w.post("/settings/keys/"+keys[0].ID+"/revoke").Header.Get("Location"))
	require.Equal(t, http.StatusForbidden, w.post("/settings/keys/"+keys[0].ID+"/replace", "overlap", "now").StatusCode)

	t.Log("a calendar's address is ended")
	page := text(t, w.get("/settings/keys"))
	require.Contains(t, page, "They work only on the Enterprise plan")
	require.Contains(t, page, "26-CR-0042")
	other := b.user(b.newAccount("other@example.org", models.Pro), "other@example.org", models.Owner, false)
	require.Equal(t, http.StatusNotFound, b.as(other.Email).post(feed).StatusCode)
	require.Equal(t, "/settings/keys?done=calendar-ended", w.post(feed).Header.Get("Location"))
	require.NotContains(t, text(t, w.get("/settings/keys")), "26-CR-0042")
	feeds, err := b.store.CalendarSubscriptions(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.NotNil(t, feeds[0].RevokedAt)

	trail := text(t, w.get("/settings/trail"))
	for _, line := range []string{"webhook paused", "webhook deleted", "alert paused", "alert deleted", "key revoked", "calendar address ended"} {
		require.Contains(t, trail, line)
	}

	t.Log("nothing of it is another account's")
	b.user(b.newAccount("else@example.org", models.Pro), "stranger@example.org", models.Owner, false)
	stranger := b.as("stranger@example.org")
	for _, path := range []string{kept + "/pause", kept + "/delete", watched[0] + "/pause", watched[0] + "/delete"} {
		require.Equal(t, http.StatusNotFound, stranger.post(path).StatusCode, path)
	}
	require.Equal(t, http.StatusForbidden, stranger.get("/alerts").StatusCode, "who never had any is told of the plan")
	require.NotContains(t, text(t, stranger.get("/settings/webhooks")), "hooks.example.org")
}
