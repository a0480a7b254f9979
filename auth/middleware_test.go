package auth_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

func TestOnlyAKeyInTheAuthorizationHeaderOpens(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.key.Reveal()
	for name, c := range map[string]struct {
		authorization string
		want          int
	}{
		"a valid key":                  {"Bearer " + key, http.StatusNoContent},
		"the scheme in lower case":     {"bearer " + key, http.StatusNoContent},
		"the scheme in upper case":     {"BEARER " + key, http.StatusNoContent},
		"two blanks":                   {"Bearer  " + key, http.StatusNoContent},
		"no header":                    {"", http.StatusUnauthorized},
		"the scheme alone":             {"Bearer", http.StatusUnauthorized},
		"the scheme and a blank":       {"Bearer ", http.StatusUnauthorized},
		"the key alone":                {key, http.StatusUnauthorized},
		"another scheme":               {"Basic " + key, http.StatusUnauthorized},
		"a scheme that begins like it": {"Bearers " + key, http.StatusUnauthorized},
		"a malformed key":              {"Bearer " + key[:45] + "!", http.StatusUnauthorized},
		"ten thousand characters":      {"Bearer " + strings.Repeat("x", 10_000), http.StatusUnauthorized},
		"a NUL byte":                   {"Bearer " + key[:45] + "\x00", http.StatusUnauthorized},
		"two keys":                     {"Bearer " + key + ", Bearer " + key, http.StatusUnauthorized},
		"a well-formed unknown key":    {"Bearer " + auth.NewKey().Reveal(), http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := b.get(c.authorization)
			require.Equal(t, c.want, got.StatusCode)
			if c.want != http.StatusUnauthorized {
				return
			}
			require.Equal(t, []string{"Bearer"}, got.Header["Www-Authenticate"])
			require.Empty(t, got.Header.Get("RateLimit-Limit"))
			body := answer(t, got)
			require.Equal(t, "unauthorized", body.Error)
			require.NotEmpty(t, body.Message)
			require.NotContains(t, body.Message, key)
		})
	}
}

func TestAKeyInTheQueryStringIsNeverAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"access_token", "api_key", "key", "Authorization", "authorization"} {
		target := "/v1/roster?" + name + "=" + b.key.Reveal()
		require.Equal(t, http.StatusUnauthorized, b.do(http.MethodGet, target, "").StatusCode, name)
	}
}

func TestTwoAuthorizationHeadersAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/roster", http.NoBody)
	r.Header["Authorization"] = []string{b.bearer(), b.bearer()}
	w := httptest.NewRecorder()
	b.api.ServeHTTP(w, r)
	require.Equal(t, http.StatusUnauthorized, w.Code)
}

func TestTheCallerReachesTheHandler(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.api = b.behindGuard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := auth.FromContext(r.Context())
		if ok {
			_, _ = io.WriteString(w, c.Account.ID+" "+c.KeyID)
		}
	}))
	got, err := io.ReadAll(b.get(b.bearer()).Body)
	require.NoError(t, err)
	require.Equal(t, b.account.ID+" "+b.keyID, string(got))
	_, ok := auth.FromContext(t.Context())
	require.False(t, ok)
}

func TestAPlanWithoutAPIAccessIsForbiddenBeforeItIsLimited(t *testing.T) {
	t.Parallel()
	for _, plan := range []models.Plan{models.Free, models.Pro} {
		t.Run(string(plan), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			_, key := b.newKey(b.newAccount("other@example.org", plan, 1))
			for range 5 {
				got := b.get("Bearer " + key.Reveal())
				require.Equal(t, http.StatusForbidden, got.StatusCode)
				require.Equal(t, "forbidden", answer(t, got).Error)
				require.Equal(t, "1", got.Header.Get("RateLimit-Remaining"), "refused calls do not count")
			}
		})
	}
}

func TestASuspendedAccountIsForbiddenWithItsReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, http.StatusNoContent, b.get(b.bearer()).StatusCode)
	_, err := b.open().SuspendAccount(t.Context(), b.account.ID, "unpaid")
	require.NoError(t, err)
	b.clock.advance(time.Second)
	got := b.get(b.bearer())
	require.Equal(t, http.StatusForbidden, got.StatusCode)
	require.Contains(t, answer(t, got).Message, "this account is suspended: unpaid")
	_, err = b.open().ResumeAccount(t.Context(), b.account.ID)
	require.NoError(t, err)
	b.clock.advance(time.Second)
	require.Equal(t, http.StatusNoContent, b.get(b.bearer()).StatusCode)
}

func TestAPlanChangeOpensTheAPIWithinASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pro := b.newAccount("other@example.org", models.Pro, 100)
	_, key := b.newKey(pro)
	require.Equal(t, http.StatusForbidden, b.get("Bearer "+key.Reveal()).StatusCode)
	plan := models.Enterprise
	_, err := b.open().UpdateAccount(t.Context(), pro.ID, models.AccountChange{Plan: &plan})
	require.NoError(t, err)
	b.clock.advance(time.Second)
	require.Equal(t, http.StatusNoContent, b.get("Bearer "+key.Reveal()).StatusCode)
}

func TestHeadersTellTheLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	headers := func(want int, limit, remaining, reset, retry string) {
		t.Helper()
		got := b.get(b.bearer())
		require.Equal(t, want, got.StatusCode)
		require.Equal(t, []string{limit, remaining, reset, retry}, []string{
			got.Header.Get("RateLimit-Limit"), got.Header.Get("RateLimit-Remaining"), got.Header.Get("RateLimit-Reset"), got.Header.Get("Retry-After"),
		})
	}
	headers(http.StatusNoContent, "100", "99", "60", "")
	b.clock.advance(10*time.Second + 300*time.Millisecond)
	headers(http.StatusNoContent, "100", "98", "60", "")
	for range 98 {
		b.get(b.bearer())
	}
	headers(http.StatusTooManyRequests, "100", "0", "60", "50") // 49.7 s, rounded up
	require.Equal(t, "rate_limited", answer(t, b.get(b.bearer())).Error)
	b.clock.advance(49*time.Second + 699*time.Millisecond)
	headers(http.StatusTooManyRequests, "100", "0", "11", "1")
	b.clock.advance(time.Millisecond)
	headers(http.StatusNoContent, "100", "0", "60", "")
}

func TestAnUnlimitedAccountHasTheHeadersToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, key := b.newKey(b.newAccount("other@example.org", models.Enterprise, 0))
	for range 300 {
		got := b.get("Bearer " + key.Reveal())
		require.Equal(t, http.StatusNoContent, got.StatusCode)
		require.Equal(t, []string{"0", "2147483647", "0"}, []string{
			got.Header.Get("RateLimit-Limit"), got.Header.Get("RateLimit-Remaining"), got.Header.Get("RateLimit-Reset"),
		})
	}
}

func TestAllKeysOfAnAccountShareItsLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, staging := b.newKey(b.account)
	for range 50 {
		require.Equal(t, http.StatusNoContent, b.get(b.bearer()).StatusCode)
		require.Equal(t, http.StatusNoContent, b.get("Bearer "+staging.Reveal()).StatusCode)
	}
	require.Equal(t, http.StatusTooManyRequests, b.get(b.bearer()).StatusCode)
	require.Equal(t, http.StatusTooManyRequests, b.get("Bearer "+staging.Reveal()).StatusCode)
}

func TestWhateverComesOfARequestItCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	remaining := 100
	for _, status := range []int{http.StatusOK, http.StatusNotModified, http.StatusNotFound, http.StatusInternalServerError} {
		b.api = b.behindGuard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions} {
			got := b.do(method, "/v1/roster", b.bearer())
			remaining--
			require.Equal(t, status, got.StatusCode)
			require.Equal(t, strconv.Itoa(remaining), got.Header.Get("RateLimit-Remaining"), "%s %d", method, status)
		}
	}
}

func TestFiftyConcurrentClientsGetAHundredAnswersAMinuteOverHTTP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.api)
	t.Cleanup(server.Close)
	for range 2 {
		var mu sync.Mutex
		statuses := map[int]int{}
		var clients sync.WaitGroup
		for range 50 {
			clients.Go(func() {
				for range 3 {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/roster", http.NoBody)
					if err != nil {
						t.Error(err)
						return
					}
					r.Header.Set("Authorization", b.bearer())
					got, err := server.Client().Do(r)
					if err != nil {
						t.Error(err)
						return
					}
					_ = got.Body.Close()
					mu.Lock()
					statuses[got.StatusCode]++
					mu.Unlock()
				}
			})
		}
		clients.Wait()
		require.Equal(t, map[int]int{http.StatusNoContent: 100, http.StatusTooManyRequests: 50}, statuses)
		b.clock.advance(auth.Window)
	}
}

func TestFloodsWithoutAKeyAreAnsweredSlowlyAndThenOnClosingConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &auth.Guard{Flood: auth.NewFlood(time.Now), Reject: reject}
		api := g.Authenticate(http.NotFoundHandler())
		get := func() *http.Response {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
			r.RemoteAddr = "203.0.113.9:1"
			api.ServeHTTP(w, r)
			return w.Result()
		}
		start := time.Now()
		for range 600 {
			require.Equal(t, http.StatusUnauthorized, get().StatusCode)
		}
		require.Zero(t, time.Since(start))
		var statuses [300]int
		var closed [300]string
		var wg sync.WaitGroup
		for i := range statuses {
			wg.Go(func() {
				got := get()
				statuses[i], closed[i] = got.StatusCode, got.Header.Get("Connection")
			})
		}
		wg.Wait()
		require.Equal(t, 2*time.Second, time.Since(start))
		closing := 0
		for i := range statuses {
			require.Equal(t, http.StatusUnauthorized, statuses[i])
			if closed[i] == "close" {
				closing++
			}
		}
		require.Equal(t, 300-256, closing)
	})
}

func TestWhatCannotBeCheckedIsUnavailableAndSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	closed := b.open()
	closed.Close()
	b.guard.Keys = auth.NewKeyring(closed, b.clock.now)
	got := b.get(b.bearer())
	require.Equal(t, http.StatusServiceUnavailable, got.StatusCode)
	require.Equal(t, "1", got.Header.Get("Retry-After"))
	body := answer(t, got)
	require.Equal(t, "unavailable", body.Error)
	require.NotContains(t, body.Message, "pool")
}

func TestALimiterWithoutAuthenticationRefuses(t *testing.T) {
	t.Parallel()
	var refused error
	g := &auth.Guard{Limiter: auth.NewLocalLimiter(time.Now), Log: slog.New(slog.DiscardHandler), Reject: func(w http.ResponseWriter, _ *http.Request, err error) {
		refused = err
		w.WriteHeader(http.StatusUnauthorized)
	}}
	w := httptest.NewRecorder()
	g.Limit(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
	require.Equal(t, http.StatusUnauthorized, w.Code)
	var shown *models.Error
	require.ErrorAs(t, refused, &shown)
}
