package web_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// Whatever a browser presents that opens nothing counts as a key that opens nothing does (auth.Door).
func TestInventedCookiesAndLinksCount(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	here := netip.MustParseAddr("127.0.0.1")
	for name, c := range map[string]struct{ path, cookie string }{
		"a cookie":                    {"/settings/keys", "rollcall_session=" + auth.NewToken()},
		"a cookie on an open page":    {"/docs", "rollcall_session=" + auth.NewToken()},
		"an empty cookie":             {"/search", "rollcall_session="},
		"a cookie at no page":         {"/nothing", "rollcall_session=" + auth.NewToken()},
		"an invitation":               {"/invitation/" + auth.NewToken(), ""},
		"a link for a new password":   {"/reset/" + auth.NewToken(), ""},
		"a link that lets a demo in":  {"/enter/" + auth.NewToken(), ""},
		"a link of a thousand digits": {"/reset/" + strings.Repeat("1", 1000), ""},
	} {
		before := b.flood.Counted(here)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+c.path, http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Accept", "text/html")
		if c.cookie != "" {
			r.Header.Set("Cookie", c.cookie)
		}
		resp, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Greater(t, b.flood.Counted(here), before, name)
	}
	before := b.flood.Counted(here)
	require.Equal(t, http.StatusOK, b.browser().get("/docs").StatusCode)
	require.Equal(t, before, b.flood.Counted(here), "a browser without a cookie does not")
}
