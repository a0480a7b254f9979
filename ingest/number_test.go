package ingest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

func TestNumbersAreAskedFromNearTheHighestKnownOneUntilSeveralAreMissing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var mu sync.Mutex
	last := 5
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		number := strings.TrimPrefix(r.URL.Path, "/inmate/26")
		asked = append(asked, number)
		var n int
		if _, err := fmt.Sscanf(number, "%05d", &n); err != nil || n > last || n == 2 {
			_, _ = w.Write([]byte("<p>No such inmate.</p>"))
			return
		}
		_, _ = fmt.Fprintf(w, `<div class="inmate"><h1>QUILLFEATHER%c, WREN</h1><dl><dt>Number</dt><dd>26%05d</dd><dt>Booked</dt><dd>2026-03-0%d-11.30.00.000000</dd></dl></div>`, 'A'+rune(n), n, n)
	}))
	t.Cleanup(server.Close)
	text, err := os.ReadFile(filepath.Join("testdata", "shapes", "number-poll", "source.yaml"))
	require.NoError(t, err)
	s, err := ingest.Parse([]byte(strings.NewReplacer("https://numbers.example.invalid", server.URL, "stop: 10", "stop: 2", "back: 400", "back: 3", "kind: http", "kind: http\n  pause: 1ms").Replace(string(text))))
	require.NoError(t, err)
	read := func() *ingest.Report {
		t.Helper()
		asked = nil
		r, err := b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		require.Equal(t, source.RunOK, r.State, r.String())
		return r
	}
	require.Equal(t, 4, read().New)
	require.Equal(t, "00001 00002 00003 00004 00005 00006 00007", strings.Join(asked, " "))
	last = 6
	require.Equal(t, 1, read().New)
	require.Equal(t, "00003 00004 00005 00006 00007 00008", strings.Join(asked, " "))
	b.now = b.now.AddDate(1, 0, 0)
	asked = nil
	_, err = b.runner.Run(t.Context(), s, ingest.Input{})
	require.NoError(t, err)
	require.Equal(t, []string{"/inmate/2700001", "/inmate/2700002"}, asked, "a new year begins at its first number")
}
