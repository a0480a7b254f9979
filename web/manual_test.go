package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheManualIsOpenToAnybody(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	w := b.browser()
	for path, shown := range map[string]string{
		"/docs": "the reference of a test", "/docs/v1/roster": "the roster of a test", "/docs/webhooks": `<h2 id="verify">Verify</h2>`,
		"/docs/clients": `<a href="/docs/samples#list">samples</a> <code>README</code> <code>other</code>`, "/docs/samples": `<h2 id="list">List</h2>`,
		"/docs/graphql": `<a href="/docs/clients">clients</a>`,
	} {
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

func TestWhatIsReadIsCompressedAndAnswersOfFormsAreNot(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	w := b.as("ada@example.org")
	coding := func(w *browser, method, path string) string {
		r := w.form(path)
		if r.Method = method; method == http.MethodGet {
			r.Body = http.NoBody
		}
		r.Header.Set("Accept-Encoding", "br, gzip;q=0.5")
		return w.do(r).Header.Get("Content-Encoding")
	}
	for _, path := range []string{"/settings/keys", "/settings/trail", "/docs", "/docs/webhooks"} {
		require.Equal(t, "gzip", coding(w, http.MethodGet, path), path)
	}
	for _, path := range []string{"/sign-in", "/docs", "/docs/webhooks"} {
		require.Equal(t, "gzip", coding(b.browser(), http.MethodGet, path), path)
	}
	require.Empty(t, coding(w, http.MethodPost, "/settings/webhooks/secret"), "it shows a secret")
	first, again := text(t, w.get("/settings/keys")), text(t, w.get("/settings/keys"))
	require.NotEqual(t, first, again, "tokens are new in each answer")
}

// Whoever asks for the manual over and over gets the same bytes: nothing is made or compressed for it. What one reader asks for is
// on no page of another.
func TestTheManualIsMadeOnceForAllWhoAreNotSignedIn(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, false)
	first := text(t, b.browser().get("/docs?planted=here"))
	require.NotContains(t, first, "planted")
	require.Equal(t, first, text(t, b.browser().get("/docs")))
	require.NotEqual(t, first, text(t, b.browser().get("/docs/webhooks")))
	own := text(t, b.as("ada@example.org").get("/docs"))
	require.Contains(t, own, `name="page"`)
	require.Equal(t, first, text(t, b.browser().get("/docs")), "a reader who is signed in has their own")
	r := b.browser().form("/docs")
	r.Method, r.Body = http.MethodHead, http.NoBody
	head := b.browser().do(r)
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.Contains(t, head.Header.Get("Content-Security-Policy"), "default-src 'none'")
	b.later(1)
	require.NotEqual(t, first, text(t, b.browser().get("/docs")), "a minute later it says when it was read")
}

func TestTheManualIsSearchedWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	w := b.browser()
	index := text(t, w.get("/docs"))
	require.Contains(t, index, `<li id="listRoster"><a href="/docs/v1/roster#listRoster">`, "an address of the one page that this was before leads to the operation")
	require.NotContains(t, index, "Parameter of GET /roster")
	found := text(t, w.get("/docs?q=COUNTY+roster"))
	require.Contains(t, found, `<a href="/docs/v1/roster#listRoster">county</a>`)
	require.NotContains(t, found, `id="listRoster"`)
	require.NotContains(t, found, ">Verify</a>")
	require.Contains(t, text(t, w.get("/docs?q=verify")), `<a href="/docs/webhooks#verify">Verify</a>`)
	require.Contains(t, text(t, w.get("/docs?q=subscription")), `<a href="/docs/graphql#subscriptions">Subscriptions</a>`)
	hostile := text(t, w.get("/docs?q=%3Cscript%3Ealert(1)%3C/script%3E"))
	require.NotContains(t, hostile, "<script>alert")
	require.Contains(t, hostile, "No results in the manual for")
	var entries []map[string]any
	require.NoError(t, json.Unmarshal([]byte(text(t, w.get("/docs/index.json"))), &entries))
	require.Equal(t, map[string]any{"kind": "operation", "title": "/roster", "text": "List booking records", "method": "GET", "address": "/docs/v1/roster#listRoster", "group": "Roster"}, entries[0])
}

// TestTheManualIsSearchedInItsWholeText holds that what a section says is found, after what is called so, and that the index for
// scripts stays small.
func TestTheManualIsSearchedInItsWholeText(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	w := b.browser()
	require.Contains(t, text(t, w.get("/docs?q=elsewhere+there")), "No results in the manual for", "an address is no text")
	found := text(t, w.get("/docs?q=TEXT+there"))
	require.Contains(t, found, `<a href="/docs/webhooks#verify">Verify</a>`)
	require.NotContains(t, found, "/docs/samples#list", "all words must stand in the section")
	require.Contains(t, text(t, w.get("/docs?q=reference+test")), `<a href="/docs#all">`)
	both := text(t, w.get("/docs?q=list"))
	require.Less(t, strings.Index(both, "/docs/v1/roster#listRoster"), strings.Index(both, "/docs/samples#list"))
	require.NotContains(t, text(t, w.get("/docs/index.json")), "text text")
	require.Contains(t, found, "<br><span class=\"small\">Guide Verify there text text", "a line of the text says why it was found")
	require.Contains(t, found, `value="TEXT there"`, "what was asked stays, to be corrected")
	require.Contains(t, text(t, w.get("/docs?q=how+many+texts")), `<a href="/docs/webhooks#verify">Verify</a>`, "in other words")
}
