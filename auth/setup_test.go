package auth_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// bundle is a guard on a database of its own, with an Enterprise account and a key.
type bundle struct {
	t       *testing.T
	clock   *clock
	db      *testdb.DB
	store   *store.Store
	account *models.Account
	keyID   string
	key     auth.Key
	guard   *auth.Guard
	api     http.Handler // answers 204 behind the guard
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, clock: &clock{}, db: testdb.New(t)}
	b.store = b.open()
	b.account = b.newAccount("desk@example.org", models.Enterprise, 100)
	b.keyID, b.key = b.newKey(b.account)
	limiter := auth.NewLocalLimiter(b.clock.now)
	b.guard = &auth.Guard{
		Keys:    auth.NewKeyring(b.store, b.clock.now),
		Limiter: limiter,
		Meter:   auth.NewMeter(b.store, limiter, slog.New(slog.DiscardHandler), b.clock.now),
		Flood:   auth.NewFlood(b.clock.now),
		Proxies: auth.Proxies{netip.MustParsePrefix("10.0.0.0/8")},
		Log:     slog.New(slog.DiscardHandler),
		Reject:  reject,
	}
	b.api = b.behindGuard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	return b
}

// open gives another store on the same database, as another process would.
func (b *bundle) open() *store.Store {
	b.t.Helper()
	store, err := store.Open(b.t.Context(), b.db.URL, store.Options{Now: b.clock.now})
	require.NoError(b.t, err)
	b.t.Cleanup(store.Close)
	return store
}

func (b *bundle) newAccount(email string, plan models.Plan, limit int) *models.Account {
	b.t.Helper()
	a := &models.Account{Name: "News Desk", Email: email, Plan: plan, RateLimit: limit}
	require.NoError(b.t, b.store.CreateAccount(b.t.Context(), a))
	return a
}

func (b *bundle) newKey(a *models.Account) (string, auth.Key) {
	b.t.Helper()
	key := auth.NewKey()
	sha := key.SHA256()
	k := &models.APIKey{AccountID: a.ID, Label: "tests", Prefix: key.Prefix(), SHA256: sha[:]}
	require.NoError(b.t, b.store.CreateKey(b.t.Context(), k))
	return k.ID, key
}

func (b *bundle) behindGuard(h http.Handler) http.Handler {
	return b.guard.Authenticate(b.guard.RequirePlan(b.guard.Limit(h)))
}

// get makes a request with that Authorization header, none when it is empty.
func (b *bundle) get(authorization string) *http.Response {
	b.t.Helper()
	return b.do(http.MethodGet, "/v1/roster", authorization)
}

func (b *bundle) do(method, target, authorization string) *http.Response {
	b.t.Helper()
	r := httptest.NewRequestWithContext(b.t.Context(), method, target, http.NoBody)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	w := httptest.NewRecorder()
	b.api.ServeHTTP(w, r)
	return w.Result()
}

func (b *bundle) bearer() string { return "Bearer " + b.key.Reveal() }

// reject writes errors as the router does, as far as these tests look at it.
func reject(w http.ResponseWriter, _ *http.Request, err error) {
	status := map[models.Code]int{
		models.CodeUnauthorized: http.StatusUnauthorized, models.CodeForbidden: http.StatusForbidden,
		models.CodeRateLimited: http.StatusTooManyRequests, models.CodeUnavailable: http.StatusServiceUnavailable,
	}[models.CodeOf(err)]
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": string(models.CodeOf(err)), "message": err.Error()})
}

// answer is the body of an error, which has exactly these two strings.
func answer(t *testing.T, r *http.Response) (body struct{ Error, Message string }) {
	t.Helper()
	require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
	return body
}
