package static_test

import (
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
		f, err := static.New("/static/x/", fstest.MapFS{"a.js": {Data: []byte(script)}, "deep/b.css": {Data: []byte("b {}")}})
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
