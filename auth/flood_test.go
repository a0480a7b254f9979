package auth_test

import (
	"context"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

var flooder = netip.MustParseAddr("203.0.113.9")

// waited gives how long the flood guard delays one more request, on the clock of the bubble.
func waited(t *testing.T, f *auth.Flood, from netip.Addr) time.Duration {
	t.Helper()
	start := time.Now()
	require.True(t, f.Wait(t.Context(), from))
	return time.Since(start)
}

func TestOnlyMoreThan600RequestsAMinuteAreSlowedAndNeverForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := auth.NewFlood(time.Now)
		for range 600 {
			require.Zero(t, waited(t, f, flooder))
		}
		require.Equal(t, 10*time.Millisecond, waited(t, f, flooder))
		require.Equal(t, 20*time.Millisecond, waited(t, f, flooder))
		require.Zero(t, waited(t, f, netip.MustParseAddr("203.0.113.10")), "another client")

		<-time.After(auth.Window)
		require.Zero(t, waited(t, f, flooder), "a new minute")
	})
}

func TestTheDelayIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := auth.NewFlood(time.Now)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for range 5000 { // clients that hang up are counted all the same, and do not wait
			require.True(t, f.Wait(gone, flooder))
		}
		require.Equal(t, 2*time.Second, waited(t, f, flooder))
	})
}

func TestAnIPv6NetworkIsOneClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := auth.NewFlood(time.Now)
		address := netip.MustParseAddr("2001:db8::1")
		for range 600 {
			require.Zero(t, waited(t, f, address))
			address = address.Next()
		}
		require.Positive(t, waited(t, f, address))
		require.Zero(t, waited(t, f, netip.MustParseAddr("2001:db8:0:1::1")), "the next /64")
	})
}

func TestWaitingRequestsAreBoundedAndOthersAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := auth.NewFlood(time.Now)
		for range 600 {
			require.True(t, f.Wait(t.Context(), flooder))
		}
		var wg sync.WaitGroup
		for range 256 {
			wg.Go(func() {
				if !f.Wait(t.Context(), flooder) {
					t.Error("refused a waiter while there was room")
				}
			})
		}
		synctest.Wait()
		start := time.Now()
		require.False(t, f.Wait(t.Context(), flooder))
		require.Zero(t, time.Since(start))
		wg.Wait()
		require.True(t, f.Wait(t.Context(), flooder), "room again")
	})
}
