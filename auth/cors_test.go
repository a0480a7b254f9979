package auth_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

// cross makes a request of another origin through the rules and the guard.
func (b *bundle) cross(origins []string, method string, headers map[string]string) *http.Response {
	b.t.Helper()
	rules, err := auth.NewCORS(origins)
	require.NoError(b.t, err)
	r := httptest.NewRequestWithContext(b.t.Context(), method, "/v1/roster", http.NoBody)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	rules.Middleware(b.api).ServeHTTP(w, r)
	return w.Result()
}

func TestPreflightsNeedNoKeyForAllowedOriginsOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		origins []string
		origin  string
		method  string // that the script wants to use
		status  int
		allowed string
	}{
		"an allowed origin":             {[]string{"https://desk.example.org"}, "https://desk.example.org", "GET", http.StatusNoContent, "https://desk.example.org"},
		"the second one":                {[]string{"https://desk.example.org", "http://localhost:5173"}, "http://localhost:5173", "POST", http.StatusNoContent, "http://localhost:5173"},
		"set in capitals":               {[]string{"https://Desk.Example.org"}, "https://desk.example.org", "GET", http.StatusNoContent, "https://desk.example.org"},
		"any":                           {[]string{"*"}, "https://anyone.example.com", "DELETE", http.StatusNoContent, "*"},
		"another origin":                {[]string{"https://desk.example.org"}, "https://evil.example.com", "GET", http.StatusUnauthorized, ""},
		"another scheme":                {[]string{"https://desk.example.org"}, "http://desk.example.org", "GET", http.StatusUnauthorized, ""},
		"another port":                  {[]string{"https://desk.example.org"}, "https://desk.example.org:8443", "GET", http.StatusUnauthorized, ""},
		"an origin that begins with it": {[]string{"https://desk.example.org"}, "https://desk.example.org.evil.example.com", "GET", http.StatusUnauthorized, ""},
		"no origin":                     {[]string{"*"}, "", "GET", http.StatusUnauthorized, ""},
		"none allowed":                  {nil, "https://desk.example.org", "GET", http.StatusUnauthorized, ""},
		"OPTIONS that is no preflight":  {[]string{"https://desk.example.org"}, "https://desk.example.org", "", http.StatusUnauthorized, "https://desk.example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			headers := map[string]string{"Access-Control-Request-Headers": "authorization, idempotency-key"}
			if c.origin != "" {
				headers["Origin"] = c.origin
			}
			if c.method != "" {
				headers["Access-Control-Request-Method"] = c.method
			}
			got := b.cross(c.origins, http.MethodOptions, headers)
			require.Equal(t, c.status, got.StatusCode)
			require.Equal(t, c.allowed, got.Header.Get("Access-Control-Allow-Origin"))
			if c.status == http.StatusNoContent {
				require.Contains(t, got.Header.Get("Access-Control-Allow-Methods"), c.method)
				require.Equal(t, "authorization, idempotency-key", got.Header.Get("Access-Control-Allow-Headers"))
			}
		})
	}
}

func TestAnswersAreReadableForAllowedOrigins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	desk := []string{"https://desk.example.org"}

	got := b.cross(desk, http.MethodGet, map[string]string{"Origin": desk[0], "Authorization": b.bearer()})
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Equal(t, desk[0], got.Header.Get("Access-Control-Allow-Origin"))
	for _, name := range []string{"ETag", "RateLimit-Remaining", "Retry-After", "X-Data-As-Of", "X-Data-Stale", "X-Case-Matches", "X-Request-Id", "Location", "Link", "X-Error-Field", "X-GraphQL-Cost", "Deprecation", "Sunset"} {
		require.Contains(t, got.Header.Get("Access-Control-Expose-Headers"), name)
	}
	require.Contains(t, got.Header["Vary"], "Origin")
	require.Empty(t, got.Header.Get("Access-Control-Allow-Credentials"))

	got = b.cross(desk, http.MethodGet, map[string]string{"Origin": desk[0]})
	require.Equal(t, http.StatusUnauthorized, got.StatusCode)
	require.Equal(t, desk[0], got.Header.Get("Access-Control-Allow-Origin"), "scripts may read why they were refused")

	got = b.cross(desk, http.MethodGet, map[string]string{"Authorization": b.bearer()})
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Contains(t, got.Header["Vary"], "Origin", "a cache must not hand this to a script")

	got = b.cross(desk, http.MethodGet, map[string]string{"Origin": "https://evil.example.com", "Authorization": b.bearer()})
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Empty(t, got.Header.Get("Access-Control-Allow-Origin"))
}

func TestOriginsAreChecked(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"desk.example.org", "https://desk.example.org/", "https://desk.example.org/page", "ftp://desk.example.org", "https://", "null", "https://*.example.org?x"} {
		_, err := auth.NewCORS([]string{origin})
		require.Error(t, err, origin)
	}
}
