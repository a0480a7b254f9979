package graph_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/graph"
	"rollcall/graph/limit"
	"rollcall/graph/transport"
	"rollcall/models"
)

func TestInternalErrorsAreLoggedOnceAndNotShown(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(20)...)
	_, err := b.db.Pool.Exec(t.Context(), `alter view published_links rename to elsewhere`)
	require.NoError(t, err)
	a := b.post(t, `{ roster(filter: {name: "marlowe"}, limit: 40) { total records { id gdcMatch { gdcId } } } }`, nil)

	require.Equal(t, http.StatusOK, a.status)
	require.Contains(t, string(a.Data), `"total":40`, "what could be read is answered")
	require.Len(t, a.Errors, 40)
	for _, e := range a.Errors {
		require.Equal(t, "internal error", e.Message)
		require.Equal(t, map[string]any{"code": "INTERNAL", "requestId": requestID}, e.Extensions)
		require.Len(t, e.Path, 4)
	}
	require.NotContains(t, a.body, "gdc_links")
	require.Equal(t, 1, strings.Count(b.log.String(), "operation failed"), b.log.String())
	require.Contains(t, b.log.String(), "request_id="+requestID)
	require.Contains(t, b.log.String(), "42P01")
	require.NotContains(t, strings.ToLower(b.log.String()), "marlowe")
}

func TestOperationsThatTakeTooLongAreUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *transport.Options) {
		o.Limits = limit.Default()
		o.Limits.Timeout = 100 * time.Millisecond
	})
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
	_, err = tx.Exec(t.Context(), `lock table bookings in access exclusive mode`)
	require.NoError(t, err)

	a := b.post(t, `{ roster { total records { id } } }`, nil)
	require.Equal(t, "UNAVAILABLE", a.code(t))
	require.Equal(t, requestID, a.Errors[0].Extensions["requestId"])
	require.JSONEq(t, "null", string(a.Data))
	require.Equal(t, 1, strings.Count(b.log.String(), "code=unavailable"), b.log.String())
}

// broken panics with what a record could hold.
type broken struct{}

func (broken) Usage(context.Context) (*models.Usage, error) { panic("MARLOWE, TESS") }

func TestPanicsAreTypedAndTheirValuesStayInside(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	log := &safeBuffer{}
	server := httptest.NewServer(graph.NewHandler(graph.NewResolver(b.store, baseURL, broken{}, graph.Alerts{}), transport.Options{Log: logTo(log)}))
	t.Cleanup(server.Close)
	b.url = server.URL
	a := b.post(t, `{ usage { limit } }`, nil)
	require.Equal(t, http.StatusOK, a.status)
	require.Equal(t, "INTERNAL", a.code(t))
	require.NotContains(t, a.body, "MARLOWE")
	require.NotContains(t, log.String(), "MARLOWE")
	require.Equal(t, 1, strings.Count(log.String(), "level=ERROR"), log.String())
	require.Contains(t, log.String(), "errors_test.go", "the stack leads to the mistake")
}

// refusing is a usage reader with an error for users.
type refusing struct{}

func (refusing) Usage(context.Context) (*models.Usage, error) {
	return nil, &models.Error{Code: models.CodeConflict, Message: "%s and %s exclude each other", Field: "from_date", Names: []string{"from_date", "to_date"}}
}

func TestErrorsForUsersKeepTheirCodeAndField(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	log := &safeBuffer{}
	server := httptest.NewServer(graph.NewHandler(graph.NewResolver(b.store, baseURL, refusing{}, graph.Alerts{}), transport.Options{Log: logTo(log)}))
	t.Cleanup(server.Close)
	b.url = server.URL
	a := b.post(t, `{ usage { limit } }`, nil)
	require.Equal(t, "CONFLICT", a.code(t))
	require.Equal(t, "fromDate", a.Errors[0].Extensions["field"])
	require.Equal(t, "fromDate and toDate exclude each other", a.Errors[0].Message)
	require.Equal(t, []any{"usage"}, a.Errors[0].Path)
	require.Empty(t, log.String())
}
