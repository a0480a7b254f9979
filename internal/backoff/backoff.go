// Package backoff decides how long to wait before another try: longer after each failure in a row, up to a
// bound. It does not retry by itself and knows no error.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff counts failures in a row. It belongs to one goroutine.
type Backoff struct {
	First  time.Duration                     // the wait after the first failure
	Most   time.Duration                     // no wait is longer
	Jitter func(time.Duration) time.Duration // changes each wait; nil: none

	failures int
}

// Next counts a failure and returns how long to wait before the next try.
func (b *Backoff) Next() time.Duration {
	b.failures++
	wait := After(b.failures, b.First, b.Most)
	if b.Jitter != nil {
		wait = b.Jitter(wait)
	}
	return wait
}

// Failing reports whether the last try failed.
func (b *Backoff) Failing() bool { return b.failures > 0 }

// Reset forgets all failures, after a success.
func (b *Backoff) Reset() { b.failures = 0 }

// doublings are more than fit a time.Duration.
const doublings = 63

// After returns the wait after that many failures in a row: first, then twice as long each time, and most at last. Without
// a failure there is none.
func After(failures int, first, most time.Duration) time.Duration {
	if failures < 1 {
		return 0
	}
	wait := min(first, most)
	for range min(failures-1, doublings) {
		if wait > most/2 {
			return most
		}
		wait *= 2
	}
	return wait
}

// Spread adds up to a quarter to a wait, so that those who failed together do not try again together.
func Spread(wait time.Duration) time.Duration { return wait + rand.N(wait/4+1) }

// Sleep waits, or returns early with the error of ctx when that ends.
func Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
