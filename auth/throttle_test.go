package auth

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A guess that is spread over many machines is answered ever later, and a person who comes from a new browser meanwhile waits
// seconds and gets in.
func TestTriesOfStrangersAtOneAddressWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := &Sessions{Limiter: NewLocalLimiter(func() time.Time { return start }), Door: NewDoor(NewFlood(time.Now), nil)}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sign-in", http.NoBody)
		waited := make([]time.Duration, 300)
		for i := range waited {
			before := time.Now()
			require.NoError(t, s.throttle(r, fmt.Sprint("network ", i/10), "ada@example.org"))
			waited[i] = time.Since(before)
		}
		require.Zero(t, waited[29])
		require.Equal(t, 20*time.Millisecond, waited[30])
		require.Equal(t, 5400*time.Millisecond, waited[299])
		require.ErrorIs(t, s.throttle(r, "one more", "ada@example.org"), errTries)
		require.NoError(t, s.throttle(r, "one more", "bob@example.org"))
	})
}
