package auth_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/models"
)

// A cookie or link that opens nothing waits as a key that opens nothing does; one that opens something never waits.
func TestADoorSlowsTokensThatOpenNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := auth.NewDoor(auth.NewFlood(time.Now), nil)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/invitation/x", http.NoBody)
		r.RemoteAddr = "203.0.113.9:1"
		open := func(answer error) time.Duration {
			start := time.Now()
			require.Equal(t, answer, d.Open(r, func(context.Context) error { return answer }))
			return time.Since(start)
		}
		unknown, signedOut := models.NotFound("link not found"), &models.Error{Code: models.CodeUnauthorized}
		for range 300 {
			require.Zero(t, open(unknown)+open(signedOut)+open(nil)+open(errors.New("the database is away")))
		}
		require.Equal(t, 10*time.Millisecond, open(unknown))
		require.Equal(t, 20*time.Millisecond, open(signedOut))
		require.Zero(t, open(nil))
	})
}

// A flood of invented cookies takes two of the database's connections and leaves the others.
func TestADoorLooksUpFewTokensAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := auth.NewDoor(auth.NewFlood(time.Now), nil)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		done := make(chan struct{})
		var wg sync.WaitGroup
		under := 0
		var mu sync.Mutex
		for range 10 {
			wg.Go(func() {
				err := d.Open(r, func(context.Context) error {
					mu.Lock()
					under++
					mu.Unlock()
					<-done
					return nil
				})
				if err != nil {
					require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
				}
			})
		}
		synctest.Wait()
		require.Equal(t, 2, under)
		<-time.After(6 * time.Second)
		close(done)
		wg.Wait()
		require.Equal(t, 2, under, "the others were answered 503 meanwhile")
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, d.Open(r, func(context.Context) error { return nil }), "places come back")
		require.NoError(t, (*auth.Door)(nil).Open(r.WithContext(gone), func(context.Context) error { return nil }))
	})
}
