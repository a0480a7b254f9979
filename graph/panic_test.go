package graph

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/generated"
	"rollcall/graph/transport"
	"rollcall/models"
)

// faulty are resolvers of which the match of one booking panics.
type faulty struct{ *Resolver }

type (
	faultyQuery  struct{ generated.QueryResolver }
	faultyRecord struct {
		generated.RosterRecordResolver
	}
)

func (f faulty) Query() generated.QueryResolver { return faultyQuery{f.Resolver.Query()} }

func (f faulty) RosterRecord() generated.RosterRecordResolver {
	return faultyRecord{f.Resolver.RosterRecord()}
}

func (faultyQuery) Roster(context.Context, *models.RosterFilter, *int, *int, *string, *models.Order) (*models.RosterPage, error) {
	return &models.RosterPage{Records: []*models.Booking{{ID: "fulton-1"}, {ID: "fulton-2"}, {ID: "fulton-3"}}}, nil
}

func (faultyRecord) GdcMatch(_ context.Context, b *models.Booking) (*models.GdcLink, error) {
	if b.ID == "fulton-2" {
		panic("a mistake in a resolver")
	}
	return &models.GdcLink{GdcID: "100" + b.ID[7:]}, nil
}

// History is a list that the schema does not allow to be null.
func (faultyRecord) History(_ context.Context, b *models.Booking) ([]*models.RecordChange, error) {
	if b.ID == "fulton-2" {
		panic("a mistake in a resolver")
	}
	return []*models.RecordChange{}, nil
}

func TestAPanicNullsOnlyTheFieldWhoseResolverPanicked(t *testing.T) {
	t.Parallel()
	ask := func(unplanned bool, query string) (body, log string) {
		var b bytes.Buffer
		h := transport.New(faulty{&Resolver{}}, transport.Options{Unplanned: unplanned, Log: slog.New(slog.NewTextHandler(&b, nil))},
			func(ctx context.Context) context.Context { return ctx })
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(`{"query":"`+query+`"}`))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
		return w.Body.String(), b.String()
	}
	for _, c := range []struct{ name, query, data string }{
		{
			"a nullable field", "{ roster { records { id gdcMatch { gdcId } } } }",
			`{"roster":{"records":[{"id":"fulton-1","gdcMatch":{"gdcId":"1001"}},{"id":"fulton-2","gdcMatch":null},{"id":"fulton-3","gdcMatch":{"gdcId":"1003"}}]}}`,
		},
		{"a field that can not be null", "{ roster { records { id history { field } } } }", `null`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, log := ask(false, c.query)
			want, _ := ask(true, c.query)
			require.Equal(t, want, got)
			require.Contains(t, got, `"data":`+c.data)
			require.Contains(t, got, `"path":["roster","records",1,`)
			require.Contains(t, log, "msg=panic")
			require.NotContains(t, got, "a mistake in a resolver")
		})
	}
}
