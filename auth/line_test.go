package auth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// An account that sends many requests at once has a few of them answered at a time; others are not concerned.
func TestAnAccountHasAFewRequestsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		each := max(2, runtime.GOMAXPROCS(0))
		line, begun := auth.NewLine(), make(chan string, 100)
		of := func(account string) context.Context {
			return auth.WithCaller(t.Context(), &auth.Caller{Account: &models.Account{ID: account}})
		}
		ends := make(chan struct{})
		ask := func(ctx context.Context, account string) {
			_, leave, err := line.Enter(ctx)
			require.NoError(t, err)
			begun <- account
			<-ends
			leave()
		}
		for range each + 5 {
			go ask(of("many"), "many")
		}
		synctest.Wait()
		require.Len(t, begun, each)
		go ask(of("other"), "other")
		synctest.Wait()
		require.Len(t, begun, each+1)
		ends <- struct{}{}
		synctest.Wait()
		require.GreaterOrEqual(t, len(begun), each+1)
		close(ends)
		synctest.Wait()
		require.Len(t, begun, each+6)
	})
}

// A stream takes no place: it lasts for days.
func TestAStreamTakesNoPlaceInTheLine(t *testing.T) {
	t.Parallel()
	line, open := auth.NewLine(), &auth.Streams{}
	ctx := auth.WithCaller(t.Context(), &auth.Caller{Account: &models.Account{ID: "acc_1"}})
	for range auth.MostStreams {
		in, leave, err := line.Enter(ctx)
		require.NoError(t, err)
		_, err = open.Enter(in, "subscriptions")
		require.NoError(t, err)
		defer leave() // as the middleware does when the stream ends
	}
}

// Whoever has the address of a feed waits in the line of its account, behind the requests with a key.
func TestAFeedWaitsInTheLineOfItsAccount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &auth.Guard{Limiter: auth.NewLocalLimiter(time.Now), Line: auth.NewLine(), Reject: reject}
		g.Meter = auth.NewMeter(nil, g.Limiter, nil, time.Now)
		account := &models.Account{ID: "acc_1", RateLimit: 100}
		for range max(2, runtime.GOMAXPROCS(0)) - 1 {
			_, leave, err := g.Line.Enter(auth.WithCaller(t.Context(), &auth.Caller{Account: account}))
			require.NoError(t, err)
			defer leave()
		}
		admitted := make(chan func(), 2)
		for range 2 {
			go func() {
				w := httptest.NewRecorder()
				if leave, ok := g.Spend(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/feeds/x", http.NoBody), account); ok {
					admitted <- leave
				}
			}()
		}
		synctest.Wait()
		require.Len(t, admitted, 1)
		(<-admitted)()
		synctest.Wait()
		require.Len(t, admitted, 1)
		(<-admitted)()
	})
}

// What waits for too long is 503, and who leaves does not wait.
func TestARequestWaitsInTheLineForSoLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &auth.Guard{Limiter: auth.NewLocalLimiter(time.Now), Line: auth.NewLine(), Reject: reject}
		g.Meter = auth.NewMeter(nil, g.Limiter, nil, time.Now)
		ctx := auth.WithCaller(t.Context(), &auth.Caller{Account: &models.Account{ID: "acc_1", RateLimit: 100}})
		for range max(2, runtime.GOMAXPROCS(0)) {
			_, leave, err := g.Line.Enter(ctx)
			require.NoError(t, err)
			defer leave()
		}
		answered := make(chan *http.Response, 1)
		go func() {
			w := httptest.NewRecorder()
			g.Limit(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/roster", http.NoBody))
			answered <- w.Result()
		}()
		left, leave := context.WithCancel(ctx)
		gone := make(chan error, 1)
		go func() {
			_, _, err := g.Line.Enter(left)
			gone <- err
		}()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-gone, context.Canceled)
		time.Sleep(19 * time.Second) //nolint:forbidigo // of a bubble's clock
		require.Empty(t, answered)
		time.Sleep(time.Second) //nolint:forbidigo // of a bubble's clock
		res := <-answered
		require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
		require.Equal(t, "1", res.Header.Get("Retry-After"))
		require.Contains(t, answer(t, res).Message, "send fewer at once")
	})
}
