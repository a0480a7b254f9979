package static_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"rollcall/internal/static"
)

func TestAddressesChangeWithWhatIsInTheFiles(t *testing.T) {
	t.Parallel()
	of := func(script string) *static.Files {
		f, err := static.New("/static/x/", fstest.MapFS{"a.js": {Data: []byte(script)}, "deep/b.css": {Data: []byte("b {}")}}, nil)
		require.NoError(t, err)
		return f
	}
	f, next := of("one"), of("two")
	require.NotEqual(t, f.Address("deep/b.css"), next.Address("deep/b.css"), "scripts import each other by name")
	require.Equal(t, f.Address("a.js"), of("one").Address("a.js"))
	ask := func(f *static.Files, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		return w
	}
	w := ask(f, f.Address("a.js"))
	require.Equal(t, "one", w.Body.String())
	require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
	require.True(t, strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript"))
	for _, path := range []string{next.Address("a.js"), "/static/x/a.js", f.Address("nothing.js"), f.Address(""), f.Address("deep"), f.Address("../static.go")} {
		require.Equal(t, http.StatusNotFound, ask(f, path).Code, path)
	}
}

func TestFilesAreCompressedForWhoTakesIt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("let a = 1;\n", 1000)
	f, err := static.New("/static/x/", fstest.MapFS{"long.js": {Data: []byte(long)}, "short.js": {Data: []byte("one")}}, nil)
	require.NoError(t, err)
	ask := func(name, accept, part string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, f.Address(name), http.NoBody)
		r.Header.Set("Accept-Encoding", accept)
		if part != "" {
			r.Header.Set("Range", part)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w
	}
	for range 2 { // the second is not compressed anew
		w := ask("long.js", "br, gzip", "")
		require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
		z, err := gzip.NewReader(w.Body)
		require.NoError(t, err)
		b, err := io.ReadAll(z)
		require.NoError(t, err)
		require.Equal(t, long, string(b))
	}
	for _, accept := range []string{"", "br", "gzip;q=0"} {
		w := ask("long.js", accept, "")
		require.Empty(t, w.Header().Get("Content-Encoding"), accept)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"), accept)
		require.Equal(t, long, w.Body.String(), accept)
	}
	require.Equal(t, long[:4], ask("long.js", "", "bytes=0-3").Body.String())
	w := ask("short.js", "gzip", "")
	require.Empty(t, w.Header().Get("Content-Encoding"))
	require.Equal(t, "one", w.Body.String())
}
