package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/graph"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/rest"
	"rollcall/rest/resttest"
)

const baseURL = "https://records.example/v1"

// bundle is a served /v1 on a database of its own.
type bundle struct {
	db     *testdb.DB
	store  *models.Store
	root   *graph.Resolver
	now    *clock
	log    *bytes.Buffer
	url    string
	client *http.Client
}

// clock is a settable clock; tests set it before they ask.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func setup(t testing.TB, records ...any) *bundle {
	t.Helper()
	b := &bundle{db: testdb.New(t), now: &clock{time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}, log: &bytes.Buffer{}}
	b.db.Add(t, records...)
	var err error
	b.store, err = models.Open(t.Context(), b.db.URL, models.Options{Secret: []byte("test"), Now: b.now.now})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.root = graph.NewResolver(b.store, baseURL, usage{})
	server := httptest.NewServer(b.handler(t))
	t.Cleanup(server.Close)
	b.url = server.URL
	b.client = &http.Client{Transport: resttest.Transport(t, &http.Transport{DisableCompression: true})}
	t.Cleanup(b.client.CloseIdleConnections)
	return b
}

// handler mounts /v1 as the program does, without keys.
func (b *bundle) handler(t testing.TB) http.Handler {
	t.Helper()
	reject := rest.NewReject(slog.New(slog.NewTextHandler(b.log, nil)))
	v1, err := rest.New(b.root, rest.Options{Reject: reject, Freshness: b.store})
	require.NoError(t, err)
	r := chi.NewRouter()
	rest.Misses(r, reject)
	r.Use(rest.RequestID, rest.Recover(reject), func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(graph.WithLoaders(r.Context(), b.store)))
		})
	})
	r.Mount("/v1", v1)
	return r
}

// usage is the use of a limit that a test's caller has.
type usage struct{}

func (usage) Usage(context.Context) (*models.Usage, error) {
	return &models.Usage{Limit: 100, Remaining: 97, ResetSeconds: 60, LastDay: []models.UsageHour{
		{Hour: time.Date(2026, 3, 10, 14, 0, 0, 0, time.UTC), Requests: 12, Limited: 1},
	}}, nil
}

// reply is an answer, read whole.
type reply struct {
	status int
	head   http.Header
	body   string
}

// get asks for a path under /v1, as it stands, with headers given as name, value, name, value.
func (b *bundle) get(t testing.TB, path string, headers ...string) reply {
	t.Helper()
	return b.do(t, http.MethodGet, path, headers...)
}

func (b *bundle) do(t testing.TB, method, path string, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, b.url+"/v1"+path, http.NoBody)
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := b.client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return reply{status: res.StatusCode, head: res.Header, body: string(body)}
}

// ids are the values of a member of each record of a list, in order.
func (r reply) ids(t testing.TB, member string) []string {
	t.Helper()
	require.Equal(t, http.StatusOK, r.status, r.body)
	var list struct{ Records []map[string]any }
	decode(t, r.body, &list)
	out := []string{}
	for _, record := range list.Records {
		id, ok := record[member].(string)
		require.True(t, ok)
		out = append(out, id)
	}
	return out
}

func (r reply) total(t testing.TB) int {
	t.Helper()
	var list struct{ Total int }
	decode(t, r.body, &list)
	return list.Total
}

// message is the second string of an error body, whose first is code.
func (r reply) message(t testing.TB, status int, code models.Code) string {
	t.Helper()
	require.Equal(t, status, r.status, r.body)
	var e map[string]string
	decode(t, r.body, &e)
	require.Len(t, e, 2)
	require.Equal(t, string(code), e["error"])
	require.NotEmpty(t, strings.TrimSpace(e["message"]))
	return e["message"]
}

func decode(t testing.TB, body string, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(body), into), body)
}
