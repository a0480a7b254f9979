package graph_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/playground"
)

const (
	browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	// playgroundPage stands for the page of package web.
	playgroundPage = "<!doctype html><title>GraphQL playground</title>"
)

func TestPlaygroundIsForBrowsersAndHoldsNoData(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(1)...)
	b.statements.take()
	page := b.send(t, request{method: http.MethodGet, accept: browserAccept, query: "query={roster{total}}"})
	require.Equal(t, http.StatusOK, page.status)
	require.Equal(t, playgroundPage, page.body)
	require.Equal(t, "Accept", page.header.Get("Vary"))
	require.Empty(t, b.statements.take())
	require.Equal(t, onlyJSON+"; charset=utf-8", b.send(t, request{method: http.MethodGet, accept: "*/*", query: "query={__typename}"}).header.Get("Content-Type"))
}

func TestPlaygroundAssets(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	play, err := playground.New()
	require.NoError(t, err)
	root := strings.TrimSuffix(b.url, "/graphql")
	for _, address := range append(play.Styles(), play.Scripts()...) {
		resp := get(t, b, root+address)
		require.Equal(t, http.StatusOK, resp.StatusCode, address)
		require.Contains(t, resp.Header.Get("Cache-Control"), "immutable")
		require.Regexp(t, `^text/(javascript|css)`, resp.Header.Get("Content-Type"))
	}
	for _, name := range []string{"", "page.html", "nothing.js", "../playground.go"} {
		require.Equal(t, http.StatusNotFound, get(t, b, root+"/static/playground/"+name).StatusCode, name)
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
