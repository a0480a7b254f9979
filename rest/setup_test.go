package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/graph"
	"rollcall/internal/public"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
	"rollcall/rest"
	"rollcall/rest/resttest"
)

const baseURL = "https://records.example/v1"

// bundle is a served /v1 on a database of its own.
type bundle struct {
	db     *testdb.DB
	store  *store.Store
	mine   *models.Account // of every request but those with the header X-Stranger, which are of another
	root   *graph.Resolver
	now    *clock
	views  *views
	log    *bytes.Buffer
	url    string
	client *http.Client
}

// views is a state of the records that a test sets. Until it is known no answer is kept.
type views struct {
	at    models.View
	known bool
}

func (v *views) View() (models.View, bool) { return v.at, v.known }

// clock is a settable clock; tests set it before they ask.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func setup(tb testing.TB, records ...any) *bundle {
	tb.Helper()
	b := &bundle{db: testdb.New(tb), now: &clock{time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}, views: &views{}, log: &bytes.Buffer{}}
	b.db.Add(tb, records...)
	var err error
	b.store, err = store.Open(tb.Context(), b.db.URL, store.Options{Secret: []byte("test"), Now: b.now.now})
	require.NoError(tb, err)
	tb.Cleanup(b.store.Close)
	b.mine = b.newAccount(tb, "desk@example.org")
	return b.on(tb, b.store)
}

// on serves another store on the same database.
func (b *bundle) on(tb testing.TB, store *store.Store) *bundle {
	tb.Helper()
	other := *b
	other.store, other.root = store, graph.NewResolver(store, baseURL, usage{}, graph.Alerts{Endpoints: endpoints(tb)})
	server := httptest.NewServer(other.handler(tb))
	tb.Cleanup(server.Close)
	other.url = server.URL
	other.client = &http.Client{Transport: resttest.Transport(tb, &http.Transport{DisableCompression: true})}
	tb.Cleanup(other.client.CloseIdleConnections)
	return &other
}

// handler mounts /v1 as the program does, without keys.
func (b *bundle) handler(tb testing.TB) http.Handler {
	tb.Helper()
	reject := rest.NewReject(slog.New(slog.NewTextHandler(b.log, nil)))
	v1, err := rest.New(b.root, rest.Options{BaseURL: baseURL, Reject: reject, Freshness: b.store, Claims: b.store, Views: b.views, Keep: 1 << 20, Photographs: album{}})
	require.NoError(tb, err)
	r := chi.NewRouter()
	rest.Misses(r, reject)
	r.Use(rest.RequestID, rest.Recover(reject), func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			caller := &auth.Caller{Account: b.mine, KeyID: "key_test", Scopes: models.Scopes()}
			if stranger := r.Header.Get("X-Stranger"); stranger != "" {
				caller = &auth.Caller{Account: &models.Account{ID: stranger, Plan: models.Enterprise}}
			}
			next.ServeHTTP(w, r.WithContext(auth.WithCaller(graph.WithLoaders(r.Context(), b.store), caller)))
		})
	})
	r.Mount("/v1", v1)
	return r
}

func (b *bundle) newAccount(tb testing.TB, email string) *models.Account {
	tb.Helper()
	a := &models.Account{Name: "News Desk", Email: email, Plan: models.Enterprise, RateLimit: models.DefaultRateLimit}
	require.NoError(tb, b.store.CreateAccount(tb.Context(), a))
	return a
}

// endpoints judges addresses as the program does, but for names: those under .test resolve to a private
// address, none else resolves.
func endpoints(tb testing.TB) graph.Endpoints {
	tb.Helper()
	seal, err := notifier.NewSealer(make([]byte, 32))
	require.NoError(tb, err)
	return notifier.Registrar{Guard: public.New(nil), Names: names{}, Seal: seal}
}

type names struct{}

func (names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if strings.HasSuffix(host, ".test") {
		return []netip.Addr{netip.MustParseAddr("198.51.100.7"), netip.MustParseAddr("10.1.2.3")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
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
func (b *bundle) get(tb testing.TB, path string, headers ...string) reply {
	tb.Helper()
	return b.do(tb, http.MethodGet, path, headers...)
}

func (b *bundle) do(tb testing.TB, method, path string, headers ...string) reply {
	tb.Helper()
	return b.request(tb, method, path, "", headers...)
}

// send sends a JSON body.
func (b *bundle) send(tb testing.TB, method, path, body string, headers ...string) reply {
	tb.Helper()
	return b.request(tb, method, path, body, append([]string{"Content-Type", "application/json"}, headers...)...)
}

func (b *bundle) request(tb testing.TB, method, path, text string, headers ...string) reply {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, b.url+"/v1"+path, strings.NewReader(text))
	require.NoError(tb, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := b.client.Do(req)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, res.Body.Close()) }()
	body, err := io.ReadAll(res.Body)
	require.NoError(tb, err)
	return reply{status: res.StatusCode, head: res.Header, body: string(body)}
}

// ids are the values of a member of each record of a list, in order.
func (r reply) ids(tb testing.TB, member string) []string {
	tb.Helper()
	require.Equal(tb, http.StatusOK, r.status, r.body)
	var list struct{ Records []map[string]any }
	decode(tb, r.body, &list)
	out := []string{}
	for _, record := range list.Records {
		id, ok := record[member].(string)
		require.True(tb, ok)
		out = append(out, id)
	}
	return out
}

func (r reply) total(tb testing.TB) int {
	tb.Helper()
	var list struct{ Total int }
	decode(tb, r.body, &list)
	return list.Total
}

// message is the second string of an error body, whose first is code.
func (r reply) message(tb testing.TB, status int, code models.Code) string {
	tb.Helper()
	require.Equal(tb, status, r.status, r.body)
	var e map[string]string
	decode(tb, r.body, &e)
	require.Len(tb, e, 2)
	require.Equal(tb, string(code), e["error"])
	require.NotEmpty(tb, strings.TrimSpace(e["message"]))
	return e["message"]
}

func decode(tb testing.TB, body string, into any) {
	tb.Helper()
	require.NoError(tb, json.Unmarshal([]byte(body), into), body)
}
