package graph_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

func TestAnswersOfQueriesAreCompressedAndThoseOfMutationsAreNot(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(20)...)
	const query = `{ roster(limit: 20) { records { id name charges county { name } gdcMatch { gdcId reasons } } } }`
	plain := b.post(t, query, nil)
	require.Greater(t, len(plain.body), 2000)
	for coding, open := range map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		resp := b.coded(t, coding, query)
		require.Equal(t, coding, resp.Header.Get("Content-Encoding"))
		require.Contains(t, strings.Join(resp.Header.Values("Vary"), ","), "Accept-Encoding")
		body, err := open(resp.Body)
		require.NoError(t, err)
		text, err := io.ReadAll(body)
		require.NoError(t, err)
		require.JSONEq(t, plain.body, string(text))
	}
	const made = `mutation { createAlert(input: {name: "Jane Doe", note: "` // what a caller sends is long enough to be compressed
	resp := b.coded(t, "gzip", made+strings.Repeat("n", 1900)+`"}) { id name note } }`)
	require.Empty(t, resp.Header.Get("Content-Encoding"))
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Greater(t, len(text), 1900, string(text))
}

// coded posts an operation and names the codings of the answer by hand.
func (b *bundle) coded(t *testing.T, coding, query string) *http.Response {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url, strings.NewReader(string(body)))
	require.NoError(t, err)
	r.Header.Set("Content-Type", onlyJSON)
	r.Header.Set("Accept", graphQL)
	r.Header.Set("Accept-Encoding", coding)
	resp, err := b.client.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(t, http.StatusOK, resp.StatusCode)
	return resp
}
