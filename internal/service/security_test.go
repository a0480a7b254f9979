package service

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBrowsersComeBackByHTTPSWhereThePublicAddressIs(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{"https://records.example.org/v1": "max-age=31536000", "http://localhost:8080/v1": ""} {
		w := httptest.NewRecorder()
		transportSecurity(base)(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
		require.Equal(t, want, w.Header().Get("Strict-Transport-Security"), base)
	}
}
