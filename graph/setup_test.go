package graph_test

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
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/graph"
	"rollcall/graph/playground"
	"rollcall/graph/transport"
	"rollcall/internal/public"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

const (
	baseURL   = "https://records.example/v1"
	requestID = "req-1"
	onlyJSON  = "application/json"
	graphQL   = "application/graphql-response+json"
)

// bundle is a served /graphql on a database of its own.
type bundle struct {
	db         *testdb.DB
	store      *store.Store
	statements *statements
	log        *safeBuffer
	url        string
	client     *http.Client
	mine       *models.Account // of every request
	revoked    atomic.Bool     // the key of every request, for subscriptions
	closing    chan struct{}   // ends subscriptions
	mails      graph.Confirmer // nil: the service sends no mail
}

// setup serves the room on a database with these records (see testdb.DB.Add); change may alter the options.
func setup(t *testing.T, change func(*transport.Options), records ...any) *bundle {
	t.Helper()
	b := &bundle{db: testdb.New(t), statements: &statements{}, log: &safeBuffer{}, closing: make(chan struct{})}
	b.db.Add(t, records...)
	now := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	var err error
	b.store, err = store.Open(t.Context(), b.db.URL, store.Options{
		Secret: []byte("test"), Now: func() time.Time { return now }, Tracer: b.statements,
	})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	o := transport.Options{
		Log:       logTo(b.log),
		RequestID: func(context.Context) string { return requestID },
		Claims:    b.store,
	}
	if change != nil {
		change(&o)
	}
	play, err := playground.New()
	require.NoError(t, err)
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(playgroundPage)) })
	mux := http.NewServeMux()
	b.mine = b.newAccount(t, "desk@example.org", models.Enterprise)
	mux.Handle("/graphql", playground.Page(page, b.asCaller(graph.NewHandler(graph.NewResolver(b.store, baseURL, usage{}, b.alerts(t)), o))))
	mux.Handle(playground.Path, play.Assets())
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b.url = server.URL + "/graphql"
	b.client = server.Client()
	return b
}

// setupOn serves the room once more on the database of another bundle, as after a restart.
func setupOn(t *testing.T, of *bundle) *bundle {
	t.Helper()
	b := &bundle{db: of.db, store: of.store, statements: of.statements, log: of.log, mine: of.mine, closing: make(chan struct{}), mails: of.mails}
	server := httptest.NewServer(b.asCaller(graph.NewHandler(graph.NewResolver(b.store, baseURL, usage{}, b.alerts(t)), transport.Options{Log: logTo(b.log), Claims: b.store})))
	t.Cleanup(server.Close)
	b.url, b.client = server.URL+"/graphql", server.Client()
	return b
}

func (b *bundle) newAccount(t *testing.T, email string, plan models.Plan) *models.Account {
	t.Helper()
	a := &models.Account{Name: "News Desk", Email: email, Plan: plan}
	require.NoError(t, b.store.CreateAccount(t.Context(), a))
	b.statements.take()
	return a
}

// asCaller makes requests those of the account.
func (b *bundle) asCaller(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), &auth.Caller{Account: b.mine, KeyID: "key_test", Scopes: models.Scopes()})))
	})
}

func (b *bundle) alerts(t *testing.T) graph.Alerts {
	t.Helper()
	seal, err := notifier.NewSealer(make([]byte, 32))
	require.NoError(t, err)
	return graph.Alerts{
		Endpoints: notifier.Registrar{Guard: public.New(nil), Names: nowhere{}, Seal: seal},
		Standing:  b.standing,
		Closing:   b.closing, Log: logTo(b.log), Mails: b.mails,
	}
}

// standing refuses the key once it is revoked. A socket asks before each operation and a subscription before each event, so whichever
// comes first after the revocation says the same.
func (b *bundle) standing(context.Context) error {
	if b.revoked.Load() {
		return &models.Error{Code: models.CodeUnauthorized, Message: "this key was revoked"}
	}
	return nil
}

// nowhere resolves no name.
type nowhere struct{}

func (nowhere) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// logTo logs everything, as text.
func logTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// usage is a caller who has used nothing.
type usage struct{}

func (usage) Usage(context.Context) (*models.Usage, error) {
	return &models.Usage{Limit: 100, Remaining: 100, LastDay: []models.UsageHour{}}, nil
}

// statements counts what the store sends to PostgreSQL.
type statements struct {
	mu   sync.Mutex
	list []string
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, frame := range []string{"begin", "commit", "set local"} { // of a transaction that reads one snapshot
		if strings.HasPrefix(d.SQL, frame) {
			return ctx
		}
	}
	s.list = append(s.list, d.SQL)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take gives the statements since the last call.
func (s *statements) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.list
	s.list = nil
	return list
}

// safeBuffer is a log that a server writes while a test reads.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// answer is a GraphQL response over HTTP.
type answer struct {
	status int
	header http.Header
	body   string
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
}

// code is the extensions.code of the only error.
func (a *answer) code(t *testing.T) string {
	t.Helper()
	require.Len(t, a.Errors, 1, a.body)
	require.NotEmpty(t, a.Errors[0].Message, a.body)
	code, ok := a.Errors[0].Extensions["code"].(string)
	require.True(t, ok, a.body)
	return code
}

// request is what a test sends; empty fields get those of an ordinary POST.
type request struct {
	method, accept, contentType string
	once                        []string // Idempotency-Key
	query                       string   // of the address
	body                        string
}

func (b *bundle) send(t *testing.T, q request) *answer {
	t.Helper()
	if q.method == "" {
		q.method = http.MethodPost
	}
	address := b.url
	if q.query != "" {
		address += "?" + q.query
	}
	r, err := http.NewRequestWithContext(t.Context(), q.method, address, strings.NewReader(q.body))
	require.NoError(t, err)
	if q.method == http.MethodPost && q.contentType != "none" {
		r.Header.Set("Content-Type", or(q.contentType, onlyJSON))
	}
	if q.accept != "none" {
		r.Header.Set("Accept", or(q.accept, graphQL))
	}
	for _, key := range q.once {
		r.Header.Add("Idempotency-Key", key)
	}
	resp, err := b.client.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	a := &answer{status: resp.StatusCode, header: resp.Header, body: string(raw)}
	if strings.HasSuffix(strings.Split(resp.Header.Get("Content-Type"), ";")[0], "json") {
		require.NoError(t, json.Unmarshal(raw, a), a.body)
	}
	return a
}

// post sends an operation by POST.
func (b *bundle) post(t *testing.T, query string, variables map[string]any) *answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	return b.send(t, request{body: string(body)})
}

// get sends an operation by GET.
func (b *bundle) get(t *testing.T, query string) *answer {
	t.Helper()
	return b.send(t, request{method: http.MethodGet, query: url.Values{"query": {query}}.Encode()})
}

// data posts an operation that has to succeed.
func (b *bundle) data(t *testing.T, query string, variables map[string]any) string {
	t.Helper()
	a := b.post(t, query, variables)
	require.Empty(t, a.Errors, a.body)
	require.Equal(t, http.StatusOK, a.status)
	return string(a.Data)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
