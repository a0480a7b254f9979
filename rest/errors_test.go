package rest_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/graph/generated"
	"rollcall/models"
	"rollcall/rest"
	"rollcall/rest/resttest"
)

// failing is a root whose roster fails in a given way.
type failing struct {
	generated.ResolverRoot
	fail func() error
}

func (f *failing) Query() generated.QueryResolver { return failingQuery{fail: f.fail} }

type failingQuery struct {
	generated.QueryResolver
	fail func() error
}

func (f failingQuery) Roster(context.Context, *models.RosterFilter, *int, *int, *string, *models.Order) (*models.RosterPage, error) {
	return nil, f.fail()
}

// noSources is the freshness of a service without sources.
type noSources struct{}

func (noSources) SourcesNow(context.Context) (models.Sources, error) { return models.Sources{}, nil }

// failed asks for a roster that fails, through the middlewares, and gives the answer and the log.
func failed(t *testing.T, fail func() error, headers ...string) (r reply, log string) {
	t.Helper()
	b := &bundle{}
	var lines strings.Builder
	reject := rest.NewReject(slog.New(slog.NewTextHandler(&lines, nil)))
	v1, err := rest.New(&failing{fail: fail}, rest.Options{Reject: reject, Freshness: noSources{}})
	require.NoError(t, err)
	server := httptest.NewServer(rest.RequestID(rest.Recover(reject)(http.StripPrefix("/v1", v1))))
	defer server.Close()
	b.url, b.client = server.URL, &http.Client{Transport: resttest.Transport(t, &http.Transport{})}
	defer b.client.CloseIdleConnections()
	r = b.get(t, "/roster", headers...)
	return r, lines.String()
}

func TestMistakesOfTheServiceAreShownAsNothingButACodeAndLoggedOnce(t *testing.T) {
	t.Parallel()
	secret := errors.New(`relation "bookings" does not exist`)
	cases := map[string]func() error{
		"an error that is not for users": func() error { return secret },
		"a panic":                        func() error { panic(secret) },
	}
	for name, fail := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, log := failed(t, fail, "X-Request-Id", "trace-7")
			message := r.message(t, http.StatusInternalServerError, models.CodeInternal)
			require.NotContains(t, message, "bookings")
			pin(t, "internal", r.body)
			require.Equal(t, 1, strings.Count(log, "level=ERROR"))
			require.Contains(t, log, "request_id=trace-7")
			require.Contains(t, log, `relation`)
		})
	}
}

func TestPassingTroubleIs503WithRetryAfter(t *testing.T) {
	t.Parallel()
	r, log := failed(t, func() error { return context.DeadlineExceeded })
	r.message(t, http.StatusServiceUnavailable, models.CodeUnavailable)
	pin(t, "unavailable", r.body)
	require.Equal(t, "2", r.head.Get("Retry-After"))
	require.Contains(t, log, "level=WARN")
}

func TestEveryCodeHasItsStatusAndTheTwoStrings(t *testing.T) {
	t.Parallel()
	want := map[models.Code]int{
		models.CodeUnauthorized: 401, models.CodeForbidden: 403, models.CodeRateLimited: 429, models.CodeInvalidParameter: 400,
		models.CodeInvalidRequest: 400, models.CodeNotFound: 404, models.CodeMethodNotAllowed: 405, models.CodeConflict: 409,
		models.CodePayloadTooLarge: 413, models.CodeUnsupportedMedia: 415, models.CodeUnavailable: 503, models.CodeInternal: 500,
	}
	reject := rest.NewReject(slog.New(slog.DiscardHandler))
	for code, status := range want {
		w := httptest.NewRecorder()
		reject(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody), &models.Error{Code: code, Message: `say "why"`})
		require.Equal(t, status, w.Code)
		require.JSONEq(t, `{"error":"`+string(code)+`","message":"say \"why\""}`, w.Body.String())
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		require.Equal(t, code == models.CodeUnauthorized, w.Header().Get("WWW-Authenticate") == "Bearer")
	}
}

func TestRequestIDsAreTakenOverOnlyWhenPlain(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		sent string
		kept bool
	}{
		"a plain one is kept":             {"b7f-12_3.Z", true},
		"none makes a new one":            {"", false},
		"one with a blank is replaced":    {"a b", false},
		"one with a quote is replaced":    {`a"b`, false},
		"one of 64 characters is kept":    {strings.Repeat("x", 64), true},
		"one of 65 characters is not":     {strings.Repeat("x", 65), false},
		"one that is not ASCII is gone":   {"é", false},
		"one that looks like a log line ": {"a=1\tb=2", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen string
			h := rest.RequestID(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = rest.RequestIDOf(r.Context()) }))
			r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			r.Header.Set("X-Request-Id", c.sent)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			require.NotEmpty(t, seen)
			require.Equal(t, seen, w.Header().Get("X-Request-Id"))
			require.Equal(t, c.kept, seen == c.sent)
		})
	}
}
