package rest_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph"
	"rollcall/graph/generated"
	"rollcall/models"
	"rollcall/rest"
)

// BenchmarkListOf50 times GET /roster with 50 records: router, handler and encoding, with the
// store and with a page that lies ready ("encode"), and what compression adds to that.
func BenchmarkListOf50(b *testing.B) {
	s := setup(b, many()...)
	page, err := s.store.ListBookings(b.Context(), models.RosterFilter{}, models.Page{Limit: 50})
	require.NoError(b, err)
	ready, err := rest.New(&readyRoot{ResolverRoot: s.root, page: page}, rest.Options{Reject: rest.NewReject(slog.Default()), Freshness: s.store})
	require.NoError(b, err)
	whole := s.handler(b)
	cases := []struct {
		name, path, accept string
		handler            http.Handler
	}{
		{"store", "/v1/roster", "", whole},
		{"encode", "/roster", "", ready},
		{"encode-zstd", "/roster", "zstd", ready},
		{"encode-gzip", "/roster", "gzip", ready},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			req := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			req.URL = &url.URL{Path: c.path}
			req.Header.Set("Accept-Encoding", c.accept)
			req = req.WithContext(graph.WithLoaders(b.Context(), s.store))
			w := &sink{head: http.Header{}}
			for b.Loop() {
				clear(w.head)
				c.handler.ServeHTTP(w, req)
			}
			require.Equal(b, http.StatusOK, w.status)
			b.ReportMetric(float64(w.size), "body-B")
		})
	}
}

// readyRoot answers the roster with a page that lies ready.
type readyRoot struct {
	generated.ResolverRoot
	page *models.RosterPage
}

func (r *readyRoot) Query() generated.QueryResolver { return readyQuery{page: r.page} }

type readyQuery struct {
	generated.QueryResolver
	page *models.RosterPage
}

func (q readyQuery) Roster(context.Context, *models.RosterFilter, *int, *int, *string, *models.Order) (*models.RosterPage, error) {
	return q.page, nil
}

// sink takes an answer and keeps only its size.
type sink struct {
	head         http.Header
	status, size int
}

func (s *sink) Header() http.Header         { return s.head }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { s.size = len(b); return len(b), nil }
