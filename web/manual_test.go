package web_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheManualIsOpenToAnybody(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	w := b.browser()
	for path, shown := range map[string]string{"/docs": "the reference of a test", "/docs/webhooks": `<h2 id="verify">Verify</h2>`} {
		resp := w.get(path)
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.Contains(t, resp.Header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Equal(t, "DENY", resp.Header.Get("X-Frame-Options"))
		page := text(t, resp)
		require.Contains(t, page, shown)
		require.Contains(t, page, `href="/sign-in"`)
		require.NotContains(t, page, "<script>alert", "raw HTML of a text is left out")
		require.NotContains(t, page, "../elsewhere", "what is not served is not linked")
	}
}

func TestOnlyWhatHoldsNoSecretIsCompressed(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	for path, coding := range map[string]string{"/docs/webhooks": "gzip", "/settings/keys": "", "/settings/trail": "", "/sign-in": ""} {
		r := w.form(path)
		r.Method, r.Body = http.MethodGet, http.NoBody
		r.Header.Set("Accept-Encoding", "gzip")
		require.Equal(t, coding, w.do(r).Header.Get("Content-Encoding"), path)
	}
}
