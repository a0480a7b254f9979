package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// These are attacks that never worked (decision 22). Each is tried on every form or link that there is.

// A browser says in one header or another that a page of another site sends a form. Whatever it says besides, each is refused.
func TestNoCombinationOfHeadersSendsAFormFromAnotherSite(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Sec-Fetch-Site", "cross-site", "Origin", b.url},
		{"Sec-Fetch-Site", "cross-site", "Referer", b.url + "/settings/keys"},
		{"Sec-Fetch-Site", "Same-Origin"},
		{"Sec-Fetch-Site", "same-origin, cross-site"},
		{"Origin", "null"},
		{"Origin", "https://evil.example"},
		{"Origin", "http://localhost:1"},
		{"Origin", strings.Replace(b.url, "127.0.0.1", "127.0.0.1.evil.example", 1)},
		{"Origin", "https://evil.example", "Referer", b.url + "/"},
		{"Origin", "https://evil.example", "X-Forwarded-Host", "evil.example"},
		{"Origin", "https://evil.example", "X-HTTP-Method-Override", "GET"},
	} {
		for _, route := range b.routes(http.MethodPost) {
			r := w.form(route)
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			require.Equal(t, http.StatusForbidden, w.do(r).StatusCode, "%s with %v", route, headers)
		}
	}
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode, "nobody was signed out by it")
}

// Of the content types that a page of another site can send without a question, only that of a form is read.
func TestAFormIsReadInItsOwnContentTypeOnly(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	spoken := []string{"/sign-in/passkey", "/sign-in/passkey/begin", "/settings/you/passkeys", "/settings/you/passkeys/begin"} // scripts send JSON
	for _, route := range b.routes(http.MethodPost) {
		if slices.Contains(spoken, route) {
			continue
		}
		for _, kind := range []string{"", "text/plain", "application/json", "application/x-www-form-urlencoded-x", "text/plain; application/x-www-form-urlencoded"} {
			r := w.form(route, "label", "stolen", "expires", "never")
			r.Header.Set("Content-Type", kind)
			require.Equal(t, http.StatusUnsupportedMediaType, w.do(r).StatusCode, "%s as %q", route, kind)
		}
	}
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode, "nobody was signed out by it")
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
}

// Scanners of mails and previews of messengers ask for links before their reader does: with HEAD, with GET, and with others.
func TestOnlyTheFormOfALinkUsesIt(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	u := b.user(b.account, "ada@example.org", models.Owner, false)
	link := func(kind models.LinkKind, of *string) string {
		token := auth.NewToken()
		require.NoError(t, b.store.CreateSignInLink(t.Context(), &models.SignInLink{
			SHA256: auth.HashToken(token), Kind: kind, AccountID: b.account.ID, UserID: of, Email: string(kind) + "@example.org", Role: models.Member,
			CreatedBy: "test", ExpiresAt: time.Now().Add(time.Hour),
		}))
		return token
	}
	for path, leads := range map[string]string{"/invitation/" + link(models.Invitation, nil): "/", "/reset/" + link(models.Reset, &u.ID): "/sign-in?again=1&done=reset"} {
		for _, method := range []string{http.MethodHead, http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete, http.MethodGet} {
			r, err := http.NewRequestWithContext(t.Context(), method, b.url+path, http.NoBody)
			require.NoError(t, err)
			resp := b.browser().do(r)
			require.Empty(t, resp.Cookies(), "%s %s signs nobody in", method, path)
		}
		resp := b.browser().post(path, "password", password+" anew", "again", password+" anew")
		require.Equal(t, leads, resp.Header.Get("Location"), path)
		require.Equal(t, http.StatusNotFound, b.browser().post(path, "password", password, "again", password).StatusCode, "once")
	}
	way := "/enter/" + link(models.Enter, &u.ID)
	for _, method := range []string{http.MethodHead, http.MethodPost, http.MethodOptions} {
		r, err := http.NewRequestWithContext(t.Context(), method, b.url+way, http.NoBody)
		require.NoError(t, err)
		require.Empty(t, b.browser().do(r).Cookies(), "%s %s signs nobody in", method, way)
	}
}

// What a request says about the host by which it came is in no link, redirect or cookie.
func TestTheHostOfARequestIsNotBelieved(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	const evil = "evil.example"
	home, err := url.Parse(b.url)
	require.NoError(t, err)
	ask := func(r *http.Request) *http.Response {
		r.Host = evil
		for _, c := range w.client.Jar.Cookies(home) { // a jar looks at the host of the request
			r.AddCookie(c)
		}
		for _, header := range []string{"X-Forwarded-Host", "X-Host", "X-Original-Host", "X-Forwarded-Server"} {
			r.Header.Set(header, evil)
		}
		r.Header.Set("Forwarded", "host="+evil)
		return w.do(r)
	}
	for _, route := range b.routes(http.MethodGet) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+route, http.NoBody)
		require.NoError(t, err)
		resp := ask(r)
		require.NotContains(t, resp.Header.Get("Location"), "/sign-in?next", "%s is asked for by somebody who is signed in", route)
		for name, values := range resp.Header {
			require.NotContains(t, strings.Join(values, " "), evil, "%s: %s", route, name)
		}
		require.NotContains(t, text(t, resp), evil, route)
	}
	r := w.form("/settings/members", "email", "new@example.org", "role", "member")
	resp := ask(r)
	page := text(t, resp)
	require.Contains(t, page, b.url+"/invitation/", "%d %s: an invitation names the public address of the service", resp.StatusCode, resp.Header)
	require.NotContains(t, page, evil)
}

// Whatever is asked for after signing in, it leads to a page of this site.
func TestNoFormOfAnAddressLeadsElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	for _, next := range []string{
		"https://evil.example/", "http://evil.example", "HTTPS://evil.example", "//evil.example", "///evil.example", "////evil.example/search", `\\evil.example`, `/\evil.example`, `\/evil.example`,
		"/%2f/evil.example", "/%5cevil.example", "/\t/evil.example", "/\n/evil.example", "/\r\n/evil.example", "\t//evil.example", " //evil.example", "%2f%2fevil.example",
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "https:evil.example", "https:/evil.example", "evil.example", "@evil.example", "/@evil.example",
		"//user@evil.example", "//127.0.0.1@evil.example/", ".evil.example", "/../..//evil.example", "/search/..//evil.example", "?next=//evil.example", "#//evil.example", "//[::1]/", "/\u2028/evil.example", "\x00//evil.example",
	} {
		got := w.get("/sign-in?next=" + url.QueryEscape(next)).Header.Get("Location")
		require.Contains(t, []string{"/", ""}, got, "%q", next)
	}
	resp := b.browser().post("/sign-in", "email", "ada@example.org", "password", password, "next", `/\evil.example`)
	require.Equal(t, "/", resp.Header.Get("Location"))
}
