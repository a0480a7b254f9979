package main

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// cacheReads are the reads of each cache and result in the figures.
func cacheReads(t *testing.T, figures http.Handler) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	figures.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	out := map[string]float64{}
	for _, found := range regexp.MustCompile(`(?m)^rollcall_cache_reads_total\{cache="(\w+)",result="(\w+)"\} (\S+)$`).FindAllStringSubmatch(w.Body.String(), -1) {
		n, err := strconv.ParseFloat(found[3], 64)
		require.NoError(t, err)
		out[found[1]+" "+found[2]] = n
	}
	return out
}
