package web_test

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestWhatIsNoTextIsRefusedWithAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	signed, stranger := b.as(u.Email), b.browser()
	for name, resp := range map[string]*http.Response{
		"a NUL byte from a stranger":    stranger.post("/sign-in", "email", "\x00", "password", "x"),
		"a NUL byte in a label":         signed.post("/settings/keys", "label", "\x00x", "expires", "never"),
		"broken UTF-8 in a label":       signed.post("/settings/keys", "label", "a\xffb", "expires", "never"),
		"broken UTF-8 in an address":    signed.post("/settings/webhooks", "url", "https://example.com/\xff", "events", "booking"),
		"a NUL byte in an invitation":   signed.post("/settings/members", "email", "\x00"),
		"broken UTF-8 in a question":    signed.get("/search?q=%ff"),
		"a name that nothing can be of": signed.post("/settings/keys", "label", "\u200b\u2060", "expires", "never"),
	} {
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, resp.StatusCode, name)
		if !strings.Contains(name, "stranger") {
			require.Contains(t, text(t, resp), "Sign out", "%s: whoever is signed in stays so", name)
		}
	}
	for _, path := range []string{"/roster/%00", "/settings/webhooks/%ff", "/counties/%00"} {
		require.Equal(t, http.StatusNotFound, signed.get(path).StatusCode, path)
	}
	require.Equal(t, http.StatusNotFound, signed.post("/settings/members/%00/reset").StatusCode)

	t.Log("what a device would have signed, too")
	coded := func(b string) string { return base64.RawURLEncoding.EncodeToString([]byte(b)) }
	answer := `{"credential": {"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "` +
		coded(`{"type": "webauthn.get", "challenge": "\u0000", "origin": "http://localhost"}`) + `", "authenticatorData": "` + coded(strings.Repeat("\x00", 37)) + `", "signature": "AA", "userHandle": "AA"}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/sign-in/passkey", strings.NewReader(answer))
	require.NoError(t, err)
	require.Less(t, stranger.do(r).StatusCode, http.StatusInternalServerError)

	t.Log("a label does not turn the text around it")
	require.Equal(t, http.StatusOK, signed.post("/settings/keys", "label", "\u202edesk\u200b", "expires", "never").StatusCode)
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Equal(t, "desk", keys[0].Label)
}

func TestAnAddressWhereNothingIsHasAPageForPeople(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Member, false)
	ask := func(w *browser, header, value string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/settings/nope", http.NoBody)
		require.NoError(t, err)
		r.Header.Set(header, value)
		return w.do(r)
	}
	const accept = "text/html,application/xhtml+xml,*/*;q=0.8"
	resp := ask(b.as(u.Email), "Accept", accept)
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
	require.Contains(t, text(t, resp), "Page not found")

	t.Log("a stranger learns only that one can sign in, a program gets what programs get")
	resp = ask(b.browser(), "Accept", accept)
	require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
	require.Equal(t, "Bearer", resp.Header.Get("WWW-Authenticate"))
	require.Contains(t, text(t, resp), "Go to sign-in")
	require.Equal(t, http.StatusTeapot, ask(b.as(u.Email), "Accept", "*/*").StatusCode)

	t.Log("so has one that answers other methods")
	for _, c := range []struct {
		who         *browser
		accept      string
		path        string
		status      int
		allow, said string
	}{
		{b.as(u.Email), accept, "/search", http.StatusMethodNotAllowed, "GET", "nothing was changed"},
		{b.browser(), accept, "/search", http.StatusUnauthorized, "", "Go to sign-in"},
		{b.as(u.Email), "application/json", "/search", http.StatusMethodNotAllowed, "", ""},
	} {
		r := c.who.form(c.path)
		r.Header.Set("Accept", c.accept)
		resp := c.who.do(r)
		require.Equal(t, c.status, resp.StatusCode)
		require.Equal(t, c.allow, resp.Header.Get("Allow"))
		page := text(t, resp)
		require.Contains(t, page, c.said)
		require.Equal(t, c.said == "", page == "", "a program gets no page")
	}
}

func TestARecordThatIsNotThereIsA404(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MARLOWE, TESS"}, testdb.Booking{ID: "fulton-2026-000002", Name: "MARLOWE, WREN"})
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted' where id = 'fulton-2026-000002'`)
	require.NoError(t, err)
	w := b.as(b.user(b.account, "ada@example.org", models.Owner, false).Email)
	require.Equal(t, http.StatusOK, w.get("/roster/fulton-2026-000001").StatusCode)
	never := ""
	for _, path := range []string{
		"/roster/fulton-2026-000009", "/roster/fulton-2026-000002", "/cases/case-fulton-9", "/cases/nonsense", "/corrections/0000009", "/alerts/alrt_none", "/deliveries/dlv_none",
	} {
		resp := w.get(path)
		require.Equal(t, http.StatusNotFound, resp.StatusCode, path)
		page := regexp.MustCompile(`nonce(-|=")[A-Za-z0-9]+|name="page" content="[0-9a-f]+"|name="next" value="[^"]*"`).ReplaceAllString(text(t, resp), "")
		require.Contains(t, page, "<title>No such record", path)
		if path == "/roster/fulton-2026-000009" {
			never = page
		}
		if path == "/roster/fulton-2026-000002" {
			require.Equal(t, never, page, "what is sealed looks as if it had never been")
		}
	}
	for _, path := range []string{"/counties/nope", "/settings/webhooks/wh_none", "/operator/sources"} {
		require.Equal(t, http.StatusNotFound, w.get(path).StatusCode, path)
	}
}

func TestAnEndedSessionLeadsBackToTheForm(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	send := func(referer string) string {
		w := b.browser()
		r := w.form("/settings/keys", "label", "production", "expires", "never")
		r.Header.Set("Referer", referer)
		return w.do(r).Header.Get("Location")
	}
	require.Equal(t, "/sign-in?done=ended&next=%2Fsettings%2Fkeys", send(b.url+"/settings/keys"))
	require.Equal(t, "/sign-in?done=ended", send("https://elsewhere.example/settings/keys"))
	require.Contains(t, text(t, b.browser().get("/sign-in?done=ended")), "Your session has ended")
}

func TestWhoeverHasNoRecordsBeginsAtTheSettings(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Free)
	w := b.as(b.user(b.account, "ada@example.org", models.Owner, false).Email)
	require.Equal(t, "/settings/keys", w.get("/").Header.Get("Location"))
	page := text(t, w.get("/settings/keys"))
	require.NotContains(t, page, `href="/search"`)
	require.NotContains(t, page, `href="/alerts"`)
}
