package auth_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// BenchmarkGuard measures what the three checks add to a request whose key is known.
func BenchmarkGuard(b *testing.B) {
	store, err := store.Open(b.Context(), testdb.New(b).URL, store.Options{})
	require.NoError(b, err)
	b.Cleanup(store.Close)
	account := &models.Account{Name: "News Desk", Email: "desk@example.org", Plan: models.Enterprise, RateLimit: 100_000_000}
	require.NoError(b, store.CreateAccount(b.Context(), account))
	key := auth.NewKey()
	sha := key.SHA256()
	require.NoError(b, store.CreateKey(b.Context(), &models.APIKey{AccountID: account.ID, Prefix: key.Prefix(), SHA256: sha[:]}))

	limiter, log := auth.NewLocalLimiter(time.Now), slog.New(slog.DiscardHandler)
	g := &auth.Guard{
		Keys: auth.NewKeyring(store, time.Now), Limiter: limiter, Meter: auth.NewMeter(store, limiter, log, time.Now),
		Flood: auth.NewFlood(time.Now), Log: log, Reject: reject,
	}
	api := g.Authenticate(g.RequirePlan(g.Limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))))
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/v1/roster", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+key.Reveal())
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		w := httptest.NewRecorder()
		for pb.Next() {
			api.ServeHTTP(w, r)
		}
	})
}
