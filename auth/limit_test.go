package auth_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/auth"
)

// clock is a clock that a test moves by hand.
type clock struct{ since atomic.Int64 }

var clockStart = time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)

func (c *clock) now() time.Time          { return clockStart.Add(time.Duration(c.since.Load())) }
func (c *clock) advance(d time.Duration) { c.since.Add(int64(d)) }

// limiters are the two implementations, so that each test holds for both.
func limiters(t *testing.T, test func(t *testing.T, c *clock, l auth.Limiter)) {
	t.Helper()
	t.Run("in this process", func(t *testing.T) {
		t.Parallel()
		c := &clock{}
		test(t, c, auth.NewLocalLimiter(c.now))
	})
	t.Run("in Redis", func(t *testing.T) {
		t.Parallel()
		client := redisServer(t)
		c := &clock{}
		test(t, c, auth.NewRedisLimiter(client, c.now))
	})
}

func take(t require.TestingT, l auth.Limiter, id string, limit, n int) auth.Allowance {
	a, err := l.Take(context.Background(), auth.Bucket{ID: id, Limit: limit}, n)
	require.NoError(t, err)
	return a
}

func TestLimiterAgreesWithANaiveModel(t *testing.T) {
	t.Parallel()
	limiters(t, func(t *testing.T, c *clock, l auth.Limiter) {
		t.Helper()
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++
			ids := []string{fmt.Sprint("a", run), fmt.Sprint("b", run)}
			answered := map[string][]time.Time{} // all of them, ever
			limits := map[string]int{ids[0]: 3, ids[1]: 5}
			for range rapid.IntRange(1, 80).Draw(t, "steps") {
				c.advance(rapid.SampledFrom([]time.Duration{
					0, 0, time.Microsecond, time.Second, 7 * time.Second, 20 * time.Second, auth.Window - time.Microsecond, auth.Window, 3 * auth.Window,
				}).Draw(t, "pass"))
				id := rapid.SampledFrom(ids).Draw(t, "account")
				if rapid.IntRange(0, 9).Draw(t, "change") == 0 {
					limits[id] = rapid.IntRange(1, 8).Draw(t, "limit")
				}
				n := rapid.IntRange(0, 1).Draw(t, "calls")
				a := take(t, l, id, limits[id], n)

				var counted []time.Time
				for _, at := range answered[id] {
					if c.now().Sub(at) < auth.Window {
						counted = append(counted, at)
					}
				}
				want := auth.Allowance{OK: len(counted)+n <= limits[id], Limit: limits[id]}
				if want.OK && n == 1 {
					answered[id] = append(answered[id], c.now())
					counted = append(counted, c.now())
				}
				want.Remaining = max(0, limits[id]-len(counted))
				if len(counted) > 0 {
					want.Wait = auth.Window - c.now().Sub(counted[max(0, len(counted)-limits[id])])
					want.Reset = auth.Window - c.now().Sub(counted[len(counted)-1])
				}
				require.Equal(t, want, a)
			}
		})
	})
}

func TestFiftyClientsShareExactlyAHundredRequestsAMinute(t *testing.T) {
	t.Parallel()
	limiters(t, func(t *testing.T, c *clock, l auth.Limiter) {
		t.Helper()
		for minute := range 3 {
			require.Equal(t, 100, atOnce(t, l, 50, 4), "minute %d", minute)
			require.False(t, take(t, l, "acct", 100, 1).OK, "the 101st of minute %d", minute)
			c.advance(auth.Window - time.Microsecond)
			require.False(t, take(t, l, "acct", 100, 1).OK, "just before the end of minute %d", minute)
			c.advance(time.Microsecond)
		}
	})
}

// atOnce lets clients make requests concurrently and gives the number answered.
func atOnce(t *testing.T, l auth.Limiter, clients, each int) int {
	t.Helper()
	var answered atomic.Int64
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				if a, err := l.Take(t.Context(), auth.Bucket{ID: "acct", Limit: 100}, 1); err == nil && a.OK {
					answered.Add(1)
				}
			}
		})
	}
	wg.Wait()
	return int(answered.Load())
}

func TestNoTrailingMinuteEverHoldsMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	c := &clock{}
	l := auth.NewLocalLimiter(c.now)
	var answered []time.Time
	for i := range 20_000 { // some five refusals for each answer, at uneven moments
		c.advance(time.Duration(i%7) * 37 * time.Millisecond)
		if take(t, l, "acct", 100, 1).OK {
			answered = append(answered, c.now())
		}
	}
	require.Greater(t, len(answered), 1000)
	for i := range len(answered) - 100 {
		require.GreaterOrEqual(t, answered[i+100].Sub(answered[i]), auth.Window)
	}
	require.True(t, slices.IsSortedFunc(answered, time.Time.Compare))
}

func TestLimitChangesHoldAtOnce(t *testing.T) {
	t.Parallel()
	limiters(t, func(t *testing.T, c *clock, l auth.Limiter) {
		t.Helper()
		require.True(t, take(t, l, "acct", 2, 1).OK)
		c.advance(10 * time.Second)
		require.True(t, take(t, l, "acct", 2, 1).OK)
		require.False(t, take(t, l, "acct", 2, 1).OK)

		raised := take(t, l, "acct", 3, 1)
		require.Equal(t, auth.Allowance{OK: true, Limit: 3, Wait: 50 * time.Second, Reset: 60 * time.Second}, raised)
		lowered := take(t, l, "acct", 1, 1)
		require.Equal(t, auth.Allowance{Limit: 1, Wait: 60 * time.Second, Reset: 60 * time.Second}, lowered, "three count, so all three have to leave")
		free := take(t, l, "acct", 0, 1)
		require.Equal(t, auth.Allowance{OK: true, Remaining: math.MaxInt32}, free)
	})
}

func TestLookingDoesNotCount(t *testing.T) {
	t.Parallel()
	limiters(t, func(t *testing.T, _ *clock, l auth.Limiter) {
		t.Helper()
		for range 5 {
			require.Equal(t, auth.Allowance{OK: true, Limit: 1, Remaining: 1}, take(t, l, "acct", 1, 0))
		}
		require.True(t, take(t, l, "acct", 1, 1).OK)
	})
}

func BenchmarkLocalLimiter(b *testing.B) {
	l := auth.NewLocalLimiter(time.Now)
	bucket := auth.Bucket{ID: "acct_7Q2M4N5P6R7S8T9V2W3X4Y5Z6A", Limit: 1_000_000}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := l.Take(b.Context(), bucket, 1); err != nil {
				b.Error(err)
			}
		}
	})
}
