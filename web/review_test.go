package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// routes are the pages of the site that a method has, with x for each parameter.
func (b *bundle) routes(method string) []string {
	b.t.Helper()
	var all []string
	require.NoError(b.t, chi.Walk(b.router, func(m, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if m == method && !strings.HasPrefix(route, "/static/") {
			all = append(all, parameter.ReplaceAllString(route, "x"))
		}
		return nil
	}))
	require.NotEmpty(b.t, all)
	return all
}

func TestEveryFormRefusesAPageOfAnotherSite(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	for _, route := range b.routes(http.MethodPost) {
		for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
			r := w.form(route)
			r.Header.Set(header, value)
			require.Equal(t, http.StatusForbidden, w.do(r).StatusCode, "%s with %s", route, header)
		}
		r := w.form(route)
		r.Header.Set("Sec-Fetch-Site", "same-site")
		require.Equal(t, http.StatusForbidden, w.do(r).StatusCode, "%s from a neighbour below the same domain", route)
	}
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode, "nobody was signed out by it")
}

// forms are who may send each form: "nobody" is somebody who is not signed in, and each may what those before may.
var forms = map[string][]string{
	"nobody": {"/language", "/theme", "/sign-in", "/sign-out", "/invitation/x", "/reset/x", "/sign-in/passkey", "/sign-in/passkey/begin"},
	"member": {
		"/settings/keys", "/settings/keys/x/revoke", "/settings/keys/x/replace", "/settings/calendars/x/end", "/settings/you/password", "/settings/you/everywhere",
		"/settings/you/passkeys", "/settings/you/passkeys/begin", "/settings/you/passkeys/x/remove", "/alerts", "/alerts/new", "/alerts/x", "/alerts/x/hits", "/alerts/x/widen", "/alerts/x/pause", "/alerts/x/resume", "/alerts/x/delete", "/deliveries/x/again", "/alerts/x/narrow", "/inbox", "/alerts/import", "/alerts/import/create", "/search/saved", "/search/saved/x/delete",
		"/settings/webhooks", "/settings/webhooks/x", "/settings/webhooks/x/pause", "/settings/webhooks/x/resume", "/settings/webhooks/x/enable",
		"/settings/webhooks/x/test", "/settings/webhooks/x/replay", "/settings/webhooks/x/delete", "/settings/webhooks/bin", "/settings/webhooks/bin/answer", "/settings/webhooks/bin/test", "/people/x/report",
		"/cases/x/calendar", "/cases/x/calendar/x/end",
	},
	"owner": {
		"/settings/members", "/settings/members/links/x/take-back", "/settings/members/x/role", "/settings/members/x/remove", "/settings/members/x/reset",
		"/settings/keys/revoke-made-by", "/settings/webhooks/secret", "/settings/webhooks/secret/rotate", "/settings/webhooks/secret/finish", "/settings/webhooks/secret/cancel",
	},
	"operator": {
		"/operator/jobs/cancel", "/operator/jobs/retry", "/operator/jobs/x/cancel", "/operator/jobs/x/retry", "/operator/review", "/operator/review/lift", "/operator/review/several", "/operator/review/keep", "/operator/review/withhold", "/operator/merges/undo", "/operator/people/x", "/operator/photographs", "/operator/photographs/x", "/operator/incidents", "/operator/incidents/x", "/operator/sources/x/disable", "/operator/sources/x/enable", "/operator/sources/x/hold",
		"/operator/sources/x/quarantine", "/operator/sources/x/read", "/operator/sources/x/release", "/operator/sources/x/release-renumbered", "/operator/sources/x/release-undo", "/operator/sources/x/document", "/operator/sources/x/document/restore", "/operator/sources/x/discard", "/operator/sources/x/replay", "/operator/sources/x/ignore", "/operator/sources/x/unignore",
	},
}

// TestEveryFormAsksWhoSendsIt walks the router: a form that nobody decided about fails it.
func TestEveryFormAsksWhoSendsIt(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "member@example.org", models.Member, false)
	b.user(b.account, "owner@example.org", models.Owner, false)
	stranger, member, owner := b.browser(), b.as("member@example.org"), b.as("owner@example.org")
	of := map[string]string{}
	for who, routes := range forms {
		for _, route := range routes {
			of[route] = who
		}
	}
	routes := b.routes(http.MethodPost)
	require.Len(t, routes, len(of), "each form stands in the list once")
	var changes []string // methods that no form has
	for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodDelete} {
		require.NoError(t, chi.Walk(b.router, func(m, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			if m == method {
				changes = append(changes, m+" "+route)
			}
			return nil
		}))
	}
	require.Empty(t, changes)
	for _, route := range routes {
		who := of[route]
		require.NotEmpty(t, who, "%s: decide who may send it, and write it into the list", route)
		if who == "nobody" {
			continue
		}
		require.Contains(t, []int{http.StatusSeeOther, http.StatusUnauthorized}, stranger.post(route).StatusCode, "%s by a stranger", route)
		switch who {
		case "owner":
			require.Equal(t, http.StatusForbidden, member.post(route, "role", "owner").StatusCode, "%s by a member", route)
		case "operator":
			for _, w := range []*browser{member, owner} {
				resp := w.post(route)
				require.Equal(t, http.StatusNotFound, resp.StatusCode, route)
				require.Contains(t, text(t, resp), "Page not found", route)
			}
		}
	}
}

func TestEveryPageForbidsFramesAndForeignScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	for _, route := range b.routes(http.MethodGet) {
		resp := w.get(route)
		if resp.StatusCode == http.StatusSeeOther {
			continue // holds nothing
		}
		h := resp.Header
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), route)
		if !strings.HasPrefix(h.Get("Content-Type"), "text/html") {
			continue
		}
		require.Equal(t, "DENY", h.Get("X-Frame-Options"), route)
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "script-src 'nonce-"} {
			require.Contains(t, policy, part, route)
		}
		require.NotContains(t, policy, "unsafe", route)
		page := text(t, resp)
		require.NotRegexp(t, `(?i) on[a-z]+="|javascript:|<style|<script(?:>| type="text)`, page, route)
	}
}

func TestEveryPageAsksWhoIsThere(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	open := []string{"/", "/sign-in", "/sign-out", "/theme", "/language", "/invitation/x", "/reset/x", "/enter/x", "/docs", "/docs/vectors.json", "/docs/index.json", "/docs/v1/roster", "/docs/webhooks", "/docs/graphql", "/docs/clients", "/docs/samples", "/graphql", "/status", "/status.json", "/robots.txt", "/favicon.ico", "/sign-in/passkey", "/sign-in/passkey/begin"}
	w := b.browser()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, route := range b.routes(method) {
			if slices.Contains(open, route) {
				continue
			}
			r := w.form(route)
			r.Method = method
			resp := w.do(r)
			if resp.StatusCode == http.StatusUnauthorized { // scripts are told
				continue
			}
			require.Equal(t, http.StatusSeeOther, resp.StatusCode, "%s %s", method, route)
			require.True(t, strings.HasPrefix(resp.Header.Get("Location"), "/sign-in"), "%s %s", method, route)
		}
	}
}

func TestRolesOpenNoMoreThanTheyShould(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "owner@example.org", models.Owner, false)
	b.user(b.account, "member@example.org", models.Member, false)
	other := b.newAccount("other@example.org", models.Enterprise)
	stranger := b.user(other, "stranger@example.org", models.Owner, false)
	own := b.as("stranger@example.org")
	require.Equal(t, http.StatusOK, own.post("/settings/keys", "label", "quartz", "expires", "never").StatusCode)
	theirs, err := b.store.Keys(t.Context(), other.ID)
	require.NoError(t, err)

	t.Log("only operators find the operators' pages, whatever the role")
	for _, email := range []string{"owner@example.org", "member@example.org"} {
		w := b.as(email)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			for _, route := range b.routes(method) {
				if strings.HasPrefix(route, "/operator/") {
					r := w.form(route)
					r.Method = method
					require.Equal(t, http.StatusNotFound, w.do(r).StatusCode, "%s %s", method, route)
				}
			}
		}
	}

	t.Log("a member decides about nobody")
	member := b.as("member@example.org")
	for _, route := range b.routes(http.MethodPost) {
		if strings.HasPrefix(route, "/settings/members") {
			require.Equal(t, http.StatusForbidden, member.post(route, "email", "x@example.org", "role", "owner").StatusCode, route)
		}
	}

	t.Log("what belongs to another account is not there")
	owner := b.as("owner@example.org")
	for _, path := range []string{
		"/settings/keys/" + theirs[0].ID + "/revoke", "/settings/keys/" + theirs[0].ID + "/replace",
		"/settings/members/" + stranger.ID + "/role", "/settings/members/" + stranger.ID + "/remove", "/settings/members/" + stranger.ID + "/reset",
	} {
		require.Equal(t, http.StatusNotFound, owner.post(path, "was", "owner", "role", "member", "overlap", "now").StatusCode, path)
	}
	require.NotContains(t, text(t, owner.get("/settings/keys"))+text(t, owner.get("/settings/trail"))+text(t, owner.get("/settings/members")), "quartz")
	require.NotContains(t, text(t, owner.get("/settings/members")), "stranger@example.org")
	require.Equal(t, http.StatusOK, own.get("/settings/keys").StatusCode)
}

func TestASessionIsNewAtEachSignIn(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.browser()
	site, err := url.Parse(b.url)
	require.NoError(t, err)
	planted := &http.Cookie{Name: "rollcall_session", Value: auth.NewToken(), Path: "/"}
	w.client.Jar.SetCookies(site, []*http.Cookie{planted})
	session := func() string { return w.client.Jar.Cookies(site)[0].Value }

	require.Equal(t, http.StatusSeeOther, w.post("/sign-in", "email", "ada@example.org", "password", password).StatusCode)
	first := session()
	require.NotEqual(t, planted.Value, first, "what somebody planted is never taken up")
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode)
	require.Equal(t, http.StatusSeeOther, w.post("/sign-in", "email", "ada@example.org", "password", password).StatusCode)
	require.NotEqual(t, first, session())

	t.Log("neither the planted value nor the session before opens anything")
	for _, value := range []string{planted.Value, first, "", strings.Repeat("A", 5000)} {
		thief := b.browser()
		thief.client.Jar.SetCookies(site, []*http.Cookie{{Name: "rollcall_session", Value: value, Path: "/"}})
		require.Equal(t, http.StatusSeeOther, thief.get("/settings/keys").StatusCode, "%.30q", value)
	}

	t.Log("a failed try leaves the session alone")
	require.Equal(t, http.StatusUnauthorized, w.post("/sign-in", "email", "ada@example.org", "password", "wrong").StatusCode)
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode)
}

func TestSigningOutEverywhereEndsEverySession(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	b.user(b.account, "bob@example.org", models.Owner, false)
	one, two, bob := b.as("ada@example.org"), b.as("ada@example.org"), b.as("bob@example.org")
	require.Equal(t, "/sign-in?done=everywhere", one.post("/settings/you/everywhere").Header.Get("Location"))
	for _, w := range []*browser{one, two} {
		require.Equal(t, http.StatusSeeOther, w.get("/settings/keys").StatusCode)
		require.Equal(t, http.StatusSeeOther, w.post("/settings/keys", "label", "late", "expires", "never").StatusCode)
	}
	require.Equal(t, http.StatusOK, bob.get("/settings/keys").StatusCode)
	keys, err := b.store.Keys(t.Context(), b.account.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
}

func TestASessionEndsWhenIdleAndAfterAMonthInAnyCase(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	ends := func() (in time.Duration) {
		var at time.Time
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select expires_at from sessions`).Scan(&at))
		return time.Until(at)
	}
	require.InDelta(t, 12*time.Hour, ends(), float64(time.Hour))
	set := func(sql string) {
		_, err := b.db.Pool.Exec(t.Context(), `update sessions set `+sql)
		require.NoError(t, err)
	}
	set(`seen_at = now() - interval '2 minutes', expires_at = now() + interval '1 minute'`)
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode)
	require.InDelta(t, 12*time.Hour, ends(), float64(time.Hour), "use keeps it")
	set(`created_at = now() - interval '30 days' + interval '1 hour', seen_at = now() - interval '2 minutes'`)
	require.Equal(t, http.StatusOK, w.get("/settings/keys").StatusCode)
	require.LessOrEqual(t, ends(), time.Hour, "but not for longer than a month")
	set(`expires_at = now()`)
	require.Equal(t, http.StatusSeeOther, w.get("/settings/keys").StatusCode)
}

func TestNoWayOfWritingLeadsElsewhereAfterSigningIn(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	here, err := url.Parse(b.url + "/sign-in")
	require.NoError(t, err)
	for _, next := range []string{
		"//evil.example", `/\evil.example`, `\\evil.example`, `\/evil.example`, "/%5Cevil.example", "/%2Fevil.example", "%2F%2Fevil.example", "/%09/evil.example",
		"/..//evil.example", "/.//evil.example", "/x/..//evil.example", "/\n/evil.example", "/\r/evil.example", " //evil.example", "//evil.example/%2F..", "http:evil.example",
		"https://evil.example", "HTTPS:/evil.example", "javascript:alert(1)", "data:text/html,x", "//[::1]/", "//user@evil.example", "/@evil.example/..//x", "?next=//evil.example",
	} {
		to := w.get("/sign-in?next=" + url.QueryEscape(next)).Header.Get("Location")
		require.NotRegexp(t, `^(//|/\\|\\)|^[a-zA-Z]+:|[\r\n\t]`, to, "%q leads to %q", next, to)
		led, err := here.Parse(to)
		require.NoError(t, err)
		require.Equal(t, here.Host, led.Host, "%q leads to %q", next, to)
		require.False(t, strings.HasPrefix(led.Path, "//"), "%q leads to %q", next, to)
	}
}
