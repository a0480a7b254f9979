package web_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/htmltest"
	"rollcall/models"
)

// text is what an answer holds. Of a page the lines of its template are joined again, as a browser joins them.
func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		return string(b)
	}
	return htmltest.Joined(string(b))
}

func TestSessionsEndWhenTheyShould(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	one, other := b.as(u.Email), b.as(u.Email)
	require.Equal(t, http.StatusOK, one.get("/settings/keys").StatusCode)

	t.Log("the cookie is for this site's pages only, and the table holds no secret")
	resp := b.browser().post("/sign-in", "email", u.Email, "password", password)
	cookie := resp.Cookies()[0]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	var found int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select count(*) from sessions where sha256 = $1 or encode(sha256, 'escape') = $2`,
		auth.HashToken(cookie.Value), cookie.Value).Scan(&found))
	require.Equal(t, 1, found)

	t.Log("signing out ends one, a new password all but the one that set it")
	third := b.as(u.Email)
	require.Equal(t, "/sign-in?done=signed-out", third.post("/sign-out").Header.Get("Location"))
	require.Equal(t, http.StatusSeeOther, third.get("/settings/keys").StatusCode)
	const newer = "window kettle green horse"
	require.Equal(t, http.StatusUnprocessableEntity, one.post("/settings/you/password", "current", "wrong", "password", newer, "again", newer).StatusCode)
	require.Equal(t, http.StatusSeeOther, one.post("/settings/you/password", "current", password, "password", newer, "again", newer).StatusCode)
	require.Equal(t, http.StatusOK, one.get("/settings/keys").StatusCode)
	require.Equal(t, http.StatusSeeOther, other.get("/settings/keys").StatusCode)

	t.Log("an expired session opens nothing")
	_, err := b.db.Pool.Exec(t.Context(), `update sessions set expires_at = now()`)
	require.NoError(t, err)
	require.Equal(t, http.StatusSeeOther, one.get("/settings/keys").StatusCode)
}

func TestSignInIsThrottledAndTellsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.browser()
	wrong := text(t, w.post("/sign-in", "email", "ada@example.org", "password", "wrong"))
	nobody := text(t, w.post("/sign-in", "email", "bob@example.org", "password", "wrong"))
	require.Contains(t, wrong, "rong e-mail address or password")
	require.Contains(t, nobody, "rong e-mail address or password")
	var last *http.Response
	for range 10 {
		last = w.post("/sign-in", "email", "ADA@example.org ", "password", "wrong")
	}
	require.Equal(t, http.StatusTooManyRequests, last.StatusCode)
	require.Equal(t, "60", last.Header.Get("Retry-After"))
	require.Equal(t, http.StatusTooManyRequests, w.post("/sign-in", "email", "ada@example.org", "password", password).StatusCode, "the right password too")
}

func TestPagesOfOtherSitesCanDoNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		r := w.form("/settings/keys", "label", "stolen", "expires", "never")
		r.Header.Set(header, value)
		require.Equal(t, http.StatusForbidden, w.do(r).StatusCode, header)
	}
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Empty(t, keys)

	h := w.get("/settings/keys").Header
	require.Equal(t, "DENY", h.Get("X-Frame-Options"))
	require.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe")
	require.Equal(t, "no-store", h.Get("Cache-Control"))
	require.NotEqual(t, h.Get("Content-Security-Policy"), w.get("/settings/keys").Header.Get("Content-Security-Policy"), "a nonce is used once")
}

func TestSigningInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	for next, leads := range map[string]string{
		"/counties/fulton?x=1": "/counties/fulton?x=1", "": "/", "https://evil.example/": "/", "//evil.example": "/", `/\evil.example`: "/",
		"/%2F/evil.example": "/", "/\t/evil.example": "/", "javascript:alert(1)": "/", "evil": "/", "https:evil.example": "/",
		"///evil.example": "/", "/sign-out": "/", "/enter/abc": "/", "/settings/you/everywhere": "/", "/sign-in?again=1": "/", "/nowhere": "/",
	} {
		require.Equal(t, leads, w.get("/sign-in?next="+url.QueryEscape(next)).Header.Get("Location"), "%q", next)
	}
	resp := b.browser().post("/sign-in", "email", "ada@example.org", "password", password, "next", "//evil.example/")
	require.Equal(t, "/", resp.Header.Get("Location"))
}

func TestEveryPlanBeginsWhereItMayRead(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Free)
	b.user(b.account, "free@example.org", models.Owner, false)
	b.user(b.newAccount("enterprise@example.org", models.Enterprise), "ada@example.org", models.Owner, false)
	for email, begins := range map[string]string{"free@example.org": "/settings/keys", "ada@example.org": "/"} {
		w := b.browser()
		page := text(t, w.get("/sign-in"))
		next := regexp.MustCompile(`name="next" value="([^"]*)"`).FindStringSubmatch(page)[1]
		for _, to := range []string{
			w.post("/sign-in", "email", email, "password", password, "next", next).Header.Get("Location"), w.get("/sign-in").Header.Get("Location"),
		} {
			if on := w.get(to).Header.Get("Location"); on != "" {
				to = on
			}
			require.Equal(t, begins, to)
			require.Equal(t, http.StatusOK, w.get(to).StatusCode)
		}
	}
}

func TestMarkupInNamesIsText(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as(u.Email)
	const evil = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{.}}`
	page := text(t, w.post("/settings/keys", "label", evil, "expires", "never"))
	page += text(t, w.get("/settings/trail")) + text(t, w.get("/settings/keys")) + text(t, w.post("/settings/members", "email", evil, "role", "owner"))
	page += text(t, b.browser().post("/sign-in", "email", evil, "password", "x", "next", evil))
	page += text(t, w.get("/roster/"+url.PathEscape(evil))) + text(t, w.get("/settings/keys?done="+url.QueryEscape(evil)))
	require.Contains(t, page, "&lt;img src=x onerror=alert(1)&gt;")
	require.NotContains(t, page, "<img")
	require.NotContains(t, page, "<script>alert")
}

func TestRolesAndAccountsAreKeptApart(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	owner := b.user(b.account, "owner@example.org", models.Owner, false)
	member := b.user(b.account, "member@example.org", models.Member, false)
	elsewhere := b.newAccount("else@example.org", models.Enterprise)
	stranger := b.user(elsewhere, "stranger@example.org", models.Owner, false)
	operator := b.user(elsewhere, "operator@example.org", models.Member, true)
	require.NoError(t, b.store.CreateKey(t.Context(), &models.APIKey{AccountID: b.account.ID, Label: "theirs", Prefix: "rc_live_abcd", SHA256: make([]byte, 32)}))
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)

	for _, c := range []struct {
		who, path string
		form      []string
		status    int
	}{
		{member.Email, "/settings/members", []string{"email", "new@example.org", "role", "owner"}, http.StatusForbidden},
		{member.Email, "/settings/members/" + owner.ID + "/remove", nil, http.StatusForbidden},
		{member.Email, "/settings/members/" + member.ID + "/role", []string{"role", "owner"}, http.StatusForbidden},
		{member.Email, "/settings/members/" + owner.ID + "/reset", nil, http.StatusForbidden},
		{stranger.Email, "/settings/members/" + member.ID + "/remove", nil, http.StatusNotFound},
		{stranger.Email, "/settings/members/" + member.ID + "/reset", nil, http.StatusNotFound},
		{stranger.Email, "/settings/members/" + operator.ID + "/reset", nil, http.StatusForbidden},
		{stranger.Email, "/settings/keys/" + keys[0].ID + "/revoke", nil, http.StatusNotFound},
		{stranger.Email, "/settings/keys/" + keys[0].ID + "/replace", []string{"overlap", "now"}, http.StatusNotFound},
		{stranger.Email, "/operator/sources/jail/release", nil, http.StatusNotFound},
		{owner.Email, "/settings/members/" + owner.ID + "/remove", nil, http.StatusConflict},
		{owner.Email, "/settings/members/" + owner.ID + "/role", []string{"was", "owner", "role", "member"}, http.StatusConflict},
	} {
		require.Equal(t, c.status, b.as(c.who).post(c.path, c.form...).StatusCode, "%s %s", c.who, c.path)
	}
	require.Equal(t, http.StatusNotFound, b.as(owner.Email).get("/operator/sources").StatusCode)
	require.Equal(t, http.StatusOK, b.as(operator.Email).get("/operator/sources").StatusCode)
	for _, path := range []string{"/search", "/roster/x", "/settings/keys", "/settings/trail", "/operator/sources", "/cases/x/hearings.ics"} {
		resp := b.browser().get(path)
		require.Equal(t, "/sign-in?next="+url.QueryEscape(path), resp.Header.Get("Location"), "nobody sees %s without signing in", path)
	}
}

func TestOtherPlansSeeWhyThingsAreClosed(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Pro)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	page := text(t, w.get("/settings/keys"))
	require.Contains(t, page, "API keys belong to the Enterprise plan")
	require.NotContains(t, page, "Create API key")
	require.Equal(t, http.StatusForbidden, w.post("/settings/keys", "label", "x", "expires", "never").StatusCode)
	search := w.get("/search")
	require.Equal(t, http.StatusForbidden, search.StatusCode)
	require.Contains(t, text(t, search), "Records belong to the Enterprise plan")
	require.Equal(t, http.StatusOK, w.get("/settings/members").StatusCode)
}

func TestLinksWorkOnceAndNotForever(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	owner := b.user(b.account, "owner@example.org", models.Owner, false)
	page := text(t, b.as(owner.Email).post("/settings/members", "email", "new@example.org", "role", "member"))
	_, rest, _ := strings.Cut(page, b.url+"/invitation/")
	path := "/invitation/" + rest[:26]
	w := b.browser()
	require.Equal(t, http.StatusOK, w.get(path).StatusCode)
	require.Equal(t, http.StatusUnprocessableEntity, w.post(path, "password", "short", "again", "short").StatusCode)
	require.Equal(t, http.StatusUnprocessableEntity, w.post(path, "password", password, "again", password+"x").StatusCode)
	require.Equal(t, "/", w.post(path, "password", password, "again", password).Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, b.browser().post(path, "password", password, "again", password).StatusCode, "once")
	require.Equal(t, http.StatusNotFound, b.browser().get("/enter/"+rest[:26]).StatusCode, "an invitation is no way in without a password")

	late := &models.SignInLink{
		SHA256: auth.HashToken("late"), Kind: models.Reset, AccountID: b.account.ID, UserID: &owner.ID, Email: owner.Email, Role: owner.Role,
		CreatedBy: "test", ExpiresAt: time.Now().Add(-time.Second),
	}
	require.NoError(t, b.store.CreateSignInLink(t.Context(), late))
	require.Equal(t, http.StatusNotFound, b.browser().get("/reset/late").StatusCode)
}

// The browser of somebody who signed in once is told apart by a cookie: strangers' tries do not count against it.
func TestABrowserThatSignedInHasTriesOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	own, stranger := b.browser(), b.browser()
	signIn := func(w *browser, password string) int {
		return w.post("/sign-in", "email", "ada@example.org", "password", password).StatusCode
	}
	require.Equal(t, http.StatusSeeOther, signIn(own, password))
	for range 20 { // all that this network has, as both are of one
		signIn(stranger, "wrong")
	}
	require.Equal(t, http.StatusTooManyRequests, signIn(stranger, password))
	require.Equal(t, http.StatusSeeOther, own.post("/sign-out").StatusCode)
	require.Equal(t, http.StatusSeeOther, signIn(own, password))
	require.Equal(t, http.StatusUnprocessableEntity, own.post("/settings/you/password", "current", "wrong", "password", "x", "again", "x").StatusCode)
}
