package graph_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

func TestPlaygroundIsForBrowsersAndHoldsNoData(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(1)...)
	b.statements.take()
	page := b.send(t, request{method: http.MethodGet, accept: browserAccept, query: "query={roster{total}}"})
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, "text/html; charset=utf-8", page.header.Get("Content-Type"))
	require.NotContains(t, page.body, "http", "everything comes from this service")
	require.Empty(t, b.statements.take())

	policy := page.header.Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`script-src 'nonce-([A-Z2-7]{26})';`).FindStringSubmatch(policy)
	require.NotNil(t, nonce, policy)
	require.NotContains(t, policy, "unsafe")
	require.Equal(t, strings.Count(page.body, "<script"), strings.Count(page.body, `<script nonce="`+nonce[1]+`" src=`))
	again := b.send(t, request{method: http.MethodGet, accept: browserAccept})
	require.NotContains(t, again.body, nonce[1], "a nonce is used once")
	require.Equal(t, onlyJSON+"; charset=utf-8", b.send(t, request{method: http.MethodGet, accept: "*/*", query: "query={__typename}"}).header.Get("Content-Type"))
}

func TestPlaygroundAssets(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	page := b.send(t, request{method: http.MethodGet, accept: browserAccept})
	found := regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"`).FindAllStringSubmatch(page.body, -1)
	require.Len(t, found, 8)
	for _, f := range found {
		resp := get(t, b, strings.TrimSuffix(b.url, "/graphql")+f[1])
		require.Equal(t, http.StatusOK, resp.StatusCode, f[1])
		require.Contains(t, resp.Header.Get("Cache-Control"), "immutable")
		require.Regexp(t, `^(text/(javascript|css)|image/svg)`, resp.Header.Get("Content-Type"))
	}
	for _, name := range []string{"", "page.html", "nothing.js", "../playground.go"} {
		require.Equal(t, http.StatusNotFound, get(t, b, strings.TrimSuffix(b.url, "/graphql")+"/static/playground/"+name).StatusCode, name)
	}
}

func get(t *testing.T, b *bundle, address string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	resp, err := b.client.Do(r)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp
}

// TestPlaygroundWorksInABrowser pastes a key, reads the schema and runs the first example, without a breach of the policy
// and without a request to anyone else. ROLLCALL_SCREENSHOT names a file for a picture.
func TestPlaygroundWorksInABrowser(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	b := setup(t, nil, linked(3)...)
	seen := &watched{}
	require.NoError(t, chromedp.Do(ctx)) // opens the tab
	require.NoError(t, chromedp.Listen(ctx, seen.event))

	const result = `document.querySelector(".result-window .CodeMirror").CodeMirror.getValue()`
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(b.url), chromedp.WaitVisible(chromedp.CSS(".graphiql-query-editor .CodeMirror"))))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[any](`document.querySelector(".graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror")
		.CodeMirror.setValue('{"Authorization": "Bearer rc_live_`+strings.Repeat("0", 38)+`"}')`))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(".graphiql-execute-button"))))
	answer, err := chromedp.Run(ctx, chromedp.Poll[string](result+`.includes('"total"') && `+result))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(`button[aria-label="Show Documentation Explorer"]`)),
		chromedp.WaitVisible(chromedp.CSS(".graphiql-doc-explorer-content a"))))
	docs, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS(".graphiql-doc-explorer-content")))
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS(`button[aria-label="Open settings dialog"]`)),
		chromedp.WaitVisible(chromedp.CSS(".graphiql-dialog"))))
	if file := os.Getenv("ROLLCALL_SCREENSHOT"); file != "" {
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, picture, 0o600))
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	require.Contains(t, answer, `"total": 6`)
	require.Contains(t, docs, "query: Query")
	require.Empty(t, seen.problems)
	for _, address := range seen.requests {
		require.Regexp(t, `^(data:|`+regexp.QuoteMeta(strings.TrimSuffix(b.url, "/graphql"))+`/)`, address)
	}
}

// watched is what a browser complains of and asks for.
type watched struct {
	mu                 sync.Mutex
	problems, requests []string
}

func (w *watched) event(ev any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := ev.(type) {
	case *log.EventEntryAdded:
		w.problems = append(w.problems, e.Entry.Text)
	case *runtime.EventExceptionThrown:
		w.problems = append(w.problems, e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		w.requests = append(w.requests, e.Request.URL)
	}
}

// browser gives a headless Chromium; CI has to have one.
func browser(t *testing.T) context.Context {
	t.Helper()
	at, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "CI needs chromium")
		}
		t.Skip("chromium is not installed: the playground is not tried in a browser")
	}
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(at), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1400, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), o...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}
