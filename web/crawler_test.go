package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestSearchEnginesReadWhatNamesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	stranger, ada := b.browser(), b.as("ada@example.org")
	robots := text(t, stranger.get("/robots.txt"))
	require.Contains(t, robots, "Allow: /docs\n")
	require.True(t, strings.HasSuffix(robots, "Disallow: /\n"), robots)
	icon := stranger.get("/favicon.ico")
	require.Equal(t, http.StatusOK, icon.StatusCode)
	require.Equal(t, "image/x-icon", icon.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(text(t, icon), "\x00\x00\x01\x00"))
	for _, path := range []string{"/docs", "/docs/webhooks", "/docs/graphql", "/docs/clients", "/docs/samples", "/status", "/sign-in"} {
		page := text(t, stranger.get(path))
		require.Contains(t, page, `<meta name="description" content="`, path)
		require.Contains(t, page, `<meta property="og:url" content="`+b.url+path+`">`, path)
		require.NotContains(t, page, "noindex", path)
	}
	for _, path := range []string{"/search", "/alerts", "/counties", "/settings/keys", "/operator/sources"} {
		page := text(t, ada.get(path))
		require.Contains(t, page, `<meta name="robots" content="noindex">`, path)
		require.NotContains(t, page, "og:", path)
	}
}
