package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

func TestASessionThatEndsLeadsBack(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	_, err := b.db.Pool.Exec(t.Context(), `update sessions set expires_at = now()`)
	require.NoError(t, err)
	sent := func(referer string) url.Values {
		t.Helper()
		r := w.form("/settings/keys", "label", "typed at length", "expires", "never")
		r.Header.Set("Referer", referer)
		resp := w.do(r)
		require.Equal(t, http.StatusSeeOther, resp.StatusCode)
		to, err := url.Parse(resp.Header.Get("Location"))
		require.NoError(t, err)
		require.Equal(t, "/sign-in", to.Path)
		return to.Query()
	}
	require.Equal(t, url.Values{"done": {"ended"}, "next": {"/settings/keys?x=1"}}, sent(b.url+"/settings/keys?x=1"))
	require.Equal(t, url.Values{"done": {"ended"}}, sent("https://evil.example/settings/keys"), "another site's page is nowhere to go")
	require.Equal(t, "/sign-in?done=ended&next=%2Falerts%2Fnew", w.get("/alerts/new").Header.Get("Location"))
	require.Contains(t, text(t, w.get("/sign-in?done=ended")), "Your session has ended")
	require.Equal(t, "/sign-in?next=%2Falerts%2Fnew", b.browser().get("/alerts/new").Header.Get("Location"), "who never was here is told nothing of a session")
}

func TestWhoHasNoPasswordIsShownAWay(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	_, err := b.store.CreateWebhook(t.Context(), b.account.ID, &models.NewWebhook{URL: "https://hooks.desk.example/", Events: models.EventKinds()}, []byte("sealed"))
	require.NoError(t, err)
	w := b.as(u.Email)
	require.NotContains(t, text(t, w.get("/settings/webhooks/secret")), "Confirm your password", "the session is fresh")
	age := func() {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), `update sessions set created_at = created_at - interval '20 minutes'`)
		require.NoError(t, err)
	}
	age()
	page := text(t, w.get("/settings/webhooks/secret"))
	require.Contains(t, page, "Confirm your password")
	require.Contains(t, page, `href="/sign-in?again=1&amp;next=%2fsettings%2fwebhooks%2fsecret"`)
	require.Equal(t, http.StatusOK, w.get("/sign-in?again=1&next=/settings/webhooks/secret").StatusCode, "also while signed in")
	require.Equal(t, "/settings/webhooks/secret", w.post("/sign-in", "email", u.Email, "password", password, "next", "/settings/webhooks/secret").Header.Get("Location"))
	require.NotContains(t, text(t, w.get("/settings/webhooks/secret")), "Confirm your password")

	t.Log("whoever has a link that works again, as in the demo, has no password, and is asked for none")
	token := auth.NewToken()
	require.NoError(t, b.store.CreateSignInLink(t.Context(), &models.SignInLink{
		SHA256: auth.HashToken(token), Kind: models.Enter, AccountID: b.account.ID, UserID: &u.ID, Email: u.Email, Role: u.Role, CreatedBy: "test", ExpiresAt: u.CreatedAt.AddDate(1, 0, 0),
	}))
	age()
	require.NotContains(t, text(t, w.get("/settings/webhooks/secret")), "Confirm your password")
	require.NotContains(t, text(t, w.get("/settings/keys")), "Confirm your password")
	require.Equal(t, http.StatusOK, w.post("/settings/webhooks/secret").StatusCode)
	require.Contains(t, text(t, w.get("/settings/you")), "Use the link that you signed in with")
	require.Equal(t, http.StatusSeeOther, w.get("/enter/"+token).StatusCode)
}

func TestAKeyThatIsBeingReplacedIsNotReplacedASecondTime(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "production", "expires", "never").StatusCode)
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	replace := "/settings/keys/" + keys[0].ID + "/replace"
	require.Equal(t, http.StatusOK, w.post(replace, "overlap", "1d").StatusCode)
	again := w.post(replace, "overlap", "1d")
	require.Equal(t, http.StatusConflict, again.StatusCode)
	require.Contains(t, text(t, again), "This key was replaced already")

	t.Log("nor when both are pressed at once")
	require.Equal(t, http.StatusOK, w.post("/settings/keys", "label", "staging", "expires", "never").StatusCode)
	keys, err = b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	staging := keys[slices.IndexFunc(keys, func(k *models.APIKey) bool { return k.Label == "staging" })]
	codes := make(chan int, 4)
	for range cap(codes) {
		other := b.as(u.Email)
		pressed := other.form("/settings/keys/"+staging.ID+"/replace", "overlap", "1d")
		go func() {
			resp, err := other.client.Do(pressed)
			if err != nil {
				codes <- 0
				return
			}
			_ = resp.Body.Close()
			codes <- resp.StatusCode
		}()
	}
	got := map[int]int{}
	for range cap(codes) {
		got[<-codes]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: cap(codes) - 1}, got)
	keys, err = b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Len(t, keys, 4)
}

func TestPagesAnswerHead(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	head := func(w *browser, path string) *http.Response {
		t.Helper()
		r := w.form(path)
		r.Method = http.MethodHead
		return w.do(r)
	}
	for _, path := range []string{"/search", "/settings/keys", "/alerts", "/docs"} {
		resp := head(w, path)
		require.Equal(t, http.StatusOK, resp.StatusCode, path)
		require.Empty(t, text(t, resp))
	}
	require.Equal(t, http.StatusOK, head(b.browser(), "/sign-in").StatusCode)
	require.Equal(t, "/sign-in?next=%2Fsearch", head(b.browser(), "/search").Header.Get("Location"))
	require.Equal(t, http.StatusMethodNotAllowed, head(b.browser(), "/enter/x").StatusCode, "who only looks is not signed in")
	require.Contains(t, text(t, w.get("/counties/nope")), `href="/counties">See all counties`)
}
