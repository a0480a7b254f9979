package backoff_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/backoff"
)

func TestWaitsDoubleUpToTheMost(t *testing.T) {
	t.Parallel()
	b := backoff.Backoff{First: 250 * time.Millisecond, Most: 3 * time.Second}
	require.False(t, b.Failing())
	for _, want := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second} {
		require.Equal(t, want, b.Next())
		require.True(t, b.Failing())
	}
	b.Reset()
	require.False(t, b.Failing())
	require.Equal(t, 250*time.Millisecond, b.Next())
}

func TestAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		failures          int
		first, most, want time.Duration
	}{
		{"no failure", 0, time.Second, time.Minute, 0},
		{"the first wait is bounded too", 1, time.Hour, time.Minute, time.Minute},
		{"exactly the most", 3, time.Second, 4 * time.Second, 4 * time.Second},
		{"nothing overflows", math.MaxInt, time.Nanosecond, math.MaxInt64, math.MaxInt64},
		{"no first wait", 1000, 0, time.Minute, 0},
	} {
		require.Equal(t, c.want, backoff.After(c.failures, c.first, c.most), c.name)
	}
}

func TestJitterChangesEachWait(t *testing.T) {
	t.Parallel()
	b := backoff.Backoff{First: time.Second, Most: time.Minute, Jitter: func(d time.Duration) time.Duration { return d + 1 }}
	require.Equal(t, time.Second+1, b.Next())
	require.Equal(t, 2*time.Second+1, b.Next())
	for range 1000 {
		wait := backoff.Spread(time.Second)
		require.GreaterOrEqual(t, wait, time.Second)
		require.LessOrEqual(t, wait, 1250*time.Millisecond)
	}
	require.Zero(t, backoff.Spread(0))
}

func TestSleepEndsWithItsTimeOrItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.NoError(t, backoff.Sleep(t.Context(), time.Hour))
		require.Equal(t, time.Hour, time.Since(began))

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began = time.Now()
		require.ErrorIs(t, backoff.Sleep(ctx, time.Hour), context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(began))
	})
}
