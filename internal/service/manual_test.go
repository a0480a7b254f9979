package service_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/service"
	"rollcall/internal/testdb"
	"rollcall/models/store"
)

// manual serves the whole manual and returns what a page of it says.
func manual(t *testing.T) func(path string) string {
	t.Helper()
	st, err := store.Open(t.Context(), testdb.New(t).URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(st.Close)
	app := &service.App{
		Config: service.Config{BaseURL: "https://records.desk.example/v1", SecretKey: strings.Repeat("k", 40), DataDir: t.TempDir()},
		Stdout: io.Discard, Stderr: io.Discard, Log: service.NewLogger(io.Discard, 0),
	}
	api, err := service.NewAPI(t.Context(), app, st)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close(context.WithoutCancel(t.Context()))) })
	return func(path string) string {
		w := httptest.NewRecorder()
		api.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		require.Equal(t, http.StatusOK, w.Code, path)
		return w.Body.String()
	}
}

// TestTheManualFindsTheWordsOfThePages asks for what developers asked for. What explains it comes first, and no sample is in the way.
func TestTheManualFindsTheWordsOfThePages(t *testing.T) {
	t.Parallel()
	page := manual(t)
	for asked, first := range map[string]string{
		"request bin": "/docs/webhooks#try-it-the-request-bin", "rotation": "/docs/webhooks#rotation-replacing-the-secret", "pagination": "/docs#all",
		"429": "/docs#all", "updated_since": "/docs/v1/roster#listRoster", "webhook secret": "/docs/webhooks#rotation-replacing-the-secret",
		"no longer listed": "/docs/webhooks#no-longer-listed", "will be tried again": "/docs/webhooks#what-to-answer",
	} {
		_, list, _ := strings.Cut(page("/docs?q="+url.QueryEscape(asked)), `class="entries"`)
		found := regexp.MustCompile(`href="(/docs[^"]*)"`).FindStringSubmatch(list)
		require.NotNil(t, found, asked)
		require.Equal(t, first, found[1], asked)
	}
	none := page("/docs?q=hash_hmac")
	require.Contains(t, none, "No results in the manual for", "a sample is no text")
	require.NotContains(t, none, "Try one word", "it was one word")
	require.Contains(t, page("/docs?q=hash_hmac+it"), "Try one word")
}

// TestTheManualHasTheAddressOfItsService holds that what a reader copies runs as it stands.
func TestTheManualHasTheAddressOfItsService(t *testing.T) {
	t.Parallel()
	page := manual(t)
	for path, address := range map[string]string{"graphql": "/graphql", "clients": "/v1", "samples": "/v1"} {
		text := page("/docs/" + path)
		require.Contains(t, text, "https://records.desk.example"+address, path)
		require.NotContains(t, text, "https://records.example", path)
	}
	require.Contains(t, page("/docs/webhooks"), `<a href="/docs/vectors.json">vectors.json</a>`)
	require.Contains(t, page("/docs/vectors.json"), `"service"`)
}
