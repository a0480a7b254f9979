package auth

import (
	"context"
	"math"
	"sync"
	"time"
)

// Window is the time that every rate limit refers to.
const Window = time.Minute

// Bucket names what is counted together, and how many of its calls are answered within any Window.
type Bucket struct {
	// ID is an account's id, or the name of what else is limited, such as "sign-in " and an address.
	ID string
	// Limit is the number of calls in a Window; 0 is unlimited.
	Limit int
}

// Allowance is a Limiter's answer about a call.
type Allowance struct {
	// OK reports whether the call may be answered.
	OK bool
	// Limit is that of the bucket; 0 is unlimited.
	Limit int
	// Remaining is how many calls would be answered now, after this one; math.MaxInt32 when unlimited.
	Remaining int
	// Wait is the time until Remaining grows; 0 when nothing is counted.
	Wait time.Duration
	// Reset is the time until all of Limit is free again; 0 when nothing is counted.
	Reset time.Duration
}

// Limiter counts calls exactly: within any Window at most bucket.Limit calls of a bucket are OK, and refused calls do
// not count (DECISIONS, "Keys, plans, limits, errors"). A changed Limit holds from the next call on. There are two:
// LocalLimiter for a single process, RedisLimiter for several replicas. Implementations are safe for concurrent use.
type Limiter interface {
	// Take asks for n calls of a bucket, all or none: 1 for a request, 0 to look without counting. An error means
	// that the limit could not be determined, which callers answer 503.
	Take(ctx context.Context, bucket Bucket, n int) (Allowance, error)
}

// unlimited is the answer for a bucket without a limit.
var unlimited = Allowance{OK: true, Remaining: math.MaxInt32}

// LocalLimiter counts the calls of this process. Its memory is 8 bytes for each call of the last minute or two. It is
// safe for concurrent use.
type LocalLimiter struct {
	now func() time.Time
	// Calls are stored as the time since start, on the monotonic clock.
	start time.Time

	mu sync.Mutex
	// Calls by the bucket's ID.
	logs recent[string, *callLog]
}

// NewLocalLimiter returns a limiter that has counted nothing yet.
func NewLocalLimiter(now func() time.Time) *LocalLimiter {
	// A log that was not touched for a whole period of Window holds no call that counts: dropping it loses nothing.
	return &LocalLimiter{now: now, start: now(), logs: recent[string, *callLog]{period: Window}}
}

// Take implements Limiter; its error is always nil.
func (l *LocalLimiter) Take(_ context.Context, bucket Bucket, n int) (Allowance, error) {
	if bucket.Limit <= 0 {
		return unlimited, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now() // read under the lock, so that each log is in order
	log, found := l.logs.get(bucket.ID, now)
	if !found {
		log = &callLog{}
		if n > 0 {
			l.logs.put(bucket.ID, log, now)
		}
	}
	at := now.Sub(l.start)
	log.dropUntil(at - Window)
	a := Allowance{OK: log.count+n <= bucket.Limit, Limit: bucket.Limit}
	if a.OK {
		for range n {
			log.push(at)
		}
	}
	a.Remaining = max(0, bucket.Limit-log.count)
	if log.count > 0 {
		// After the limit was lowered, more than Limit calls may count. The first ones to leave then free no place yet.
		a.Wait = log.at(max(0, log.count-bucket.Limit)) + Window - at
		a.Reset = log.at(log.count-1) + Window - at
	}
	return a, nil
}

// callLog is a ring of the moments of calls, oldest first. A log of moments keeps the window exact, where counters by
// minute would let twice the limit through around a minute's end.
type callLog struct {
	// Moments since the limiter began: 8 bytes each, where a time.Time has 24.
	ring []time.Duration
	// Index of the oldest moment in ring.
	first int
	count int
}

// at returns the i-th oldest moment.
func (c *callLog) at(i int) time.Duration { return c.ring[(c.first+i)%len(c.ring)] }

// dropUntil forgets the calls up to a moment: those that have left the window.
func (c *callLog) dropUntil(moment time.Duration) {
	for c.count > 0 && c.ring[c.first] <= moment {
		c.first = (c.first + 1) % len(c.ring)
		c.count--
	}
}

// push adds a call. A full ring doubles, so it is never larger than twice the busiest minute.
func (c *callLog) push(moment time.Duration) {
	if c.count == len(c.ring) {
		larger := make([]time.Duration, max(16, 2*len(c.ring)))
		n := copy(larger, c.ring[c.first:])
		copy(larger[n:], c.ring[:c.first])
		c.ring, c.first = larger, 0
	}
	c.ring[(c.first+c.count)%len(c.ring)] = moment
	c.count++
}
