package web_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
	"rollcall/web"
	"rollcall/web/operate"
)

const password = "river lamp orange desk"

// bundle is the site on a database of its own, served by a real server.
type bundle struct {
	t         *testing.T
	db        *testdb.DB
	store     *store.Store
	account   *models.Account
	url       string
	hash      string // of password
	secrets   *secrets
	retried   []int64
	cancelled []int64
	read      []string
	held      *operate.HeldSnapshot // of every source; nil: no snapshot is held
	decided   operate.Decision      // of the last release
	documents documents             // those of sources
	similar   similar
	router    chi.Router
	flood     *auth.Flood
	ahead     atomic.Int64 // minutes that the site's clock is ahead
	asked     asked
}

// asked counts the statements that the store sends to PostgreSQL.
type asked struct{ atomic.Int64 }

func (a *asked) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	a.Add(1)
	return ctx
}

func (*asked) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// secrets are the steps that were taken with the webhook secret, and what the next one meets.
type secrets struct {
	steps  []web.SecretStep
	actors []string // one a step
	err    error
}

// similar are the names that are similar to any.
type similar struct {
	found *models.SimilarNames
	err   error
	asked []models.SimilarAsked
}

func (s *similar) Similar(_ context.Context, _ string, asked models.SimilarAsked) (*models.SimilarNames, error) {
	s.asked = append(s.asked, asked)
	return s.found, s.err
}

type shown string

func (s shown) Reveal() string { return string(s) }
func (s shown) IsZero() bool   { return s == "" }

func (s *secrets) take(_ context.Context, step web.SecretStep, _, actor string) (*web.WebhookSecret, error) {
	s.steps, s.actors = append(s.steps, step), append(s.actors, actor)
	out := &web.WebhookSecret{Current: shown("whsec_current"), Next: shown("")}
	if step == web.RotateSecret {
		out.Next = shown("whsec_next")
	}
	return out, s.err
}

// documents are the documents of sources in memory. A text with the word "wrong" has a mistake on its second line.
type documents struct {
	texts map[string]string
	store *store.Store
	fixed bool // the data directory is not writable
}

func (d *documents) Read(_ context.Context, id string) (*operate.Document, error) {
	text, ok := d.texts[id]
	if !ok {
		return nil, models.NotFound("there is no document of this source")
	}
	out := &operate.Document{Text: text, Own: true, Writable: !d.fixed, Digest: source.DocumentDigest(text)}
	if strings.Contains(text, "hunter22") {
		out.Hidden = []int{2}
	}
	return out, nil
}

func (d *documents) Check(_ *models.Source, text string) ([]operate.DocumentMistake, error) {
	if strings.Contains(text, "wrong") {
		return []operate.DocumentMistake{{Line: 2, Path: "fields.name", Says: "it is wrong"}}, nil
	}
	return nil, nil
}

func (d *documents) Save(ctx context.Context, id, actor, text, found string) error {
	return d.store.SaveDocument(ctx, source.Document{SourceID: id, Actor: actor, Text: text}, found,
		func() (string, error) { return d.texts[id], nil }, func() error { d.texts[id] = text; return nil })
}

func (d *documents) Line(_, field string) int { return map[string]int{"name": 2}[field] }

// endpoints refuses one host and knows no more than the pages need.
type endpoints struct{}

func (endpoints) CheckURL(_ context.Context, address string) error {
	if strings.Contains(address, "private") {
		return &models.NotPublicError{Message: "this host is not public: it has a private, local or reserved IP address"}
	}
	if strings.Contains(address, "refused") {
		return errors.New("this address is refused")
	}
	return nil
}

func (endpoints) NewSecret(string) []byte { return []byte("sealed") }

func (endpoints) TestBody(string, time.Time, int) ([]byte, error) { return []byte("{}"), nil }

func (endpoints) Verify(_ *models.WebhookSecret, got *models.BinRequest) ([]models.Verification, error) {
	return []models.Verification{{Service: len(got.Body) > 0, Standard: true}}, nil
}

func setup(t *testing.T, plan models.Plan) *bundle {
	t.Helper()
	b := &bundle{t: t, db: testdb.New(t), secrets: &secrets{}}
	var err error
	b.store, err = store.Open(t.Context(), b.db.URL, store.Options{Tracer: &b.asked})
	require.NoError(t, err)
	t.Cleanup(b.store.Close)
	b.documents.store = b.store
	passwords, err := auth.NewPasswords(&argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	require.NoError(t, err)
	b.hash, err = passwords.Hash(t.Context(), password, "")
	require.NoError(t, err)
	limiter := auth.NewLocalLimiter(time.Now)
	r := chi.NewRouter()
	server := httptest.NewServer(r)
	t.Cleanup(func() {
		server.Close()
		*r = chi.Mux{} // what outlives the test holds no pages: two hundred tests would hold gigabytes of them
	})
	b.url = server.URL
	b.flood = auth.NewFlood(time.Now)
	devices, err := auth.NewDevices([]byte("a secret of these tests"), false)
	require.NoError(t, err)
	sessions := &auth.Sessions{
		Store: b.store, Passwords: passwords, Limiter: limiter, Devices: devices, Door: auth.NewDoor(b.flood, nil), Now: time.Now,
	}
	passkeys, err := auth.NewPasskeys(sessions, "http://localhost")
	require.NoError(t, err)
	site, err := web.New(web.Options{
		Store: b.store, Sessions: sessions, Passkeys: passkeys,
		Keys: auth.NewKeyring(b.store, time.Now), Usage: auth.NewMeter(b.store, limiter, slog.New(slog.DiscardHandler), time.Now),
		Rehearse: func(context.Context, string) (*operate.HeldSnapshot, error) { return b.held, nil },
		Release: func(ctx context.Context, id string, how operate.Decision) error {
			b.decided = how
			return b.store.ReleaseSource(ctx, id)
		},
		Endpoints: endpoints{}, Secrets: b.secrets.take, Photograph: func(id string) string { return b.url + "/photographs/of-" + id },
		Replay: func(context.Context, string, int64) (*operate.Replayed, error) {
			return &operate.Replayed{Runs: 2, Resolved: 3}, nil
		},
		RowText: func(_ string, sealed []byte) (string, error) { return "opened " + string(sealed), nil }, Jobs: b, Documents: &b.documents, Similar: &b.similar,
		Root: b.url, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Now().Add(time.Duration(b.ahead.Load()) * time.Minute) },
		Reference: web.Reference{
			Intro: "<p>the reference of a test</p>", Pages: []web.ReferencePage{{Slug: "roster", Title: "Roster", Body: "<h1>the roster of a test</h1>"}},
			Entries: []web.ReferenceEntry{
				{Kind: "operation", ID: "listRoster", Method: "GET", Title: "/roster", Text: "List booking records", Address: "/docs/v1/roster#listRoster", Group: "Roster"},
				{Kind: "parameter", ID: "listRoster", Title: "county", Text: "Parameter of GET /roster", Address: "/docs/v1/roster#listRoster", Group: "Roster"},
			},
		},
		Guides: map[string]string{
			"clients": "# Clients\n\n[samples](samples.md#list) [README](../elsewhere/README.md) [other](matching.md)\n",
			"samples": "# Samples\n\n## List\n", "graphql": "# GraphQL\n\n## Subscriptions\n\n[clients](clients.md)\n",
			"webhooks": "# Guide\n\n<script>alert(1)</script>\n\n## Verify\n\n[there](../elsewhere)\n" + strings.Repeat("text ", 500),
		},
	})
	require.NoError(t, err)
	require.NoError(t, site.Routes(r))
	playground, err := site.Playground(web.Playground{Styles: []string{"/static/playground/page.css"}, Scripts: []string{"/static/playground/page.js"}})
	require.NoError(t, err)
	r.Get("/graphql", playground.ServeHTTP)
	r.Head("/graphql", playground.ServeHTTP)
	r.NotFound(site.Missing(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })))
	r.MethodNotAllowed(site.NotAllowed(func(*http.Request) string { return "GET" }, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) })))
	b.router = r
	b.account = b.newAccount("desk@example.org", plan)
	return b
}

// later moves the clock of the pages on.
func (b *bundle) later(minutes int64) {
	b.ahead.Add(minutes)
}

// RetryJob notes which job is to run again.
func (b *bundle) RetryJob(_ context.Context, id int64) error {
	b.retried = append(b.retried, id)
	return nil
}

// CancelJob notes which job is to end.
func (b *bundle) CancelJob(_ context.Context, id int64) error {
	b.cancelled = append(b.cancelled, id)
	return nil
}

// ReadSource notes which source is to be read.
func (b *bundle) ReadSource(_ context.Context, id string) error {
	b.read = append(b.read, id)
	return nil
}

func (b *bundle) newAccount(email string, plan models.Plan) *models.Account {
	b.t.Helper()
	a := &models.Account{Name: "News Desk", Email: email, Plan: plan, RateLimit: 100}
	require.NoError(b.t, b.store.CreateAccount(b.t.Context(), a))
	return a
}

// user makes a user of an account.
func (b *bundle) user(a *models.Account, email string, role models.Role, operator bool) *models.User {
	b.t.Helper()
	l := &models.SignInLink{
		SHA256: auth.HashToken(auth.NewToken()), Kind: models.Invitation, AccountID: a.ID, Email: email, Role: role, Operator: operator,
		CreatedBy: "test", ExpiresAt: time.Now().Add(time.Hour),
	}
	require.NoError(b.t, b.store.CreateSignInLink(b.t.Context(), l))
	u, err := b.store.AcceptInvitation(b.t.Context(), l.SHA256, b.hash)
	require.NoError(b.t, err)
	return u
}

// browser keeps cookies and follows no redirect.
type browser struct {
	t      *testing.T
	client *http.Client
	url    string
}

func (b *bundle) browser() *browser {
	b.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(b.t, err)
	return &browser{t: b.t, url: b.url, client: &http.Client{
		Jar: jar, Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// as gives a browser that a user has signed in with.
func (b *bundle) as(email string) *browser {
	b.t.Helper()
	w := b.browser()
	require.Equal(b.t, http.StatusSeeOther, w.post("/sign-in", "email", email, "password", password).StatusCode)
	return w
}

func (w *browser) get(path string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url+path, http.NoBody)
	require.NoError(w.t, err)
	return w.do(r)
}

func (w *browser) post(path string, form ...string) *http.Response {
	w.t.Helper()
	return w.do(w.form(path, form...))
}

func (w *browser) form(path string, form ...string) *http.Request {
	w.t.Helper()
	values := url.Values{}
	for i := 0; i < len(form); i += 2 {
		values.Add(form[i], form[i+1])
	}
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+path, strings.NewReader(values.Encode()))
	require.NoError(w.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func (w *browser) do(r *http.Request) *http.Response {
	w.t.Helper()
	resp, err := w.client.Do(r)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}
