package auth

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

const (
	floodFree     = 600                   // requests without a valid key in a Window that are not slowed
	floodStep     = 10 * time.Millisecond // added to the delay by each further one
	floodLongest  = 2 * time.Second
	floodWaiters  = 256    // requests that may be waiting at once, over all clients
	floodNetworks = 50_000 // client networks remembered in each half of the count
)

// Flood slows clients that send many requests without a valid key. It only ever delays; such requests are answered
// 401 in any case. Counting is coarse, in a Window that begins with a client's first request, because nobody is
// refused by it. It is safe for concurrent use.
type Flood struct {
	now func() time.Time
	// Slots for requests that are delayed. Without a bound, delaying a flood would hold as many connections as the
	// flood opens.
	waiters chan struct{}

	mu sync.Mutex
	// Counts by client network; entries older than Window are forgotten.
	seen recent[netip.Addr, *floodCount]
}

// floodCount counts the requests of one client network.
type floodCount struct {
	// Start of the client's window.
	since time.Time
	// Requests without a valid key in it.
	n int
}

// NewFlood returns a guard that has counted nothing yet.
func NewFlood(now func() time.Time) *Flood {
	return &Flood{
		now: now, waiters: make(chan struct{}, floodWaiters),
		seen: recent[netip.Addr, *floodCount]{period: Window, most: floodNetworks},
	}
}

// Wait counts a request without a valid key from client and delays it, for at most 2 seconds or until ctx ends. It
// returns false at once when too many others are waiting already; the caller then answers and closes the connection.
func (f *Flood) Wait(ctx context.Context, client netip.Addr) bool {
	return f.hold(ctx, f.delay(network(client)))
}

// hold waits for delay or until ctx ends. It returns false at once when too many others are waiting already.
func (f *Flood) hold(ctx context.Context, delay time.Duration) bool {
	if delay == 0 {
		return true
	}
	select {
	case f.waiters <- struct{}{}:
		defer func() { <-f.waiters }()
	default:
		return false
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return true
}

// Counted returns how many requests that opened nothing came from client in its present window, for tests and figures.
func (f *Flood) Counted(client netip.Addr) int {
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	c, found := f.seen.get(network(client), now)
	if !found || now.Sub(c.since) >= Window {
		return 0
	}
	return c.n
}

// delay counts a request without a valid key and returns how long its response waits. The first floodFree of a window
// do not wait, then each waits longer, up to floodLongest.
func (f *Flood) delay(client netip.Addr) time.Duration {
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	c, found := f.seen.get(client, now)
	if !found {
		c = &floodCount{since: now}
		f.seen.put(client, c, now)
	}
	if now.Sub(c.since) >= Window {
		c.since, c.n = now, 0
	}
	c.n++
	return min(floodLongest, time.Duration(max(0, c.n-floodFree))*floodStep)
}
