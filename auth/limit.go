package auth

import (
	"context"
	"math"
	"sync"
	"time"
)

// Window is the time that a rate limit speaks of.
const Window = time.Minute

// Bucket names what is counted together, and how many calls of it are answered within any Window.
type Bucket struct {
	// of an account, or of what else is limited, such as "sign-in " and an address
	ID    string
	Limit int // 0: unlimited
}

// Allowance is what a Limiter says about a call.
type Allowance struct {
	OK        bool          // whether the call is answered
	Limit     int           // of the bucket; 0: unlimited
	Remaining int           // calls that would be answered now, after this one; math.MaxInt32 when unlimited
	Wait      time.Duration // until Remaining grows; 0 when nothing is counted
}

// Limiter counts calls exactly: within any Window at most bucket.Limit calls of a bucket are OK, and refused calls do not
// count. A changed Limit holds from the next call on. There are two: one for a single process, and one for several
// replicas that share a Redis.
type Limiter interface {
	// Take asks for n calls: 1 for a request, 0 to only look.
	Take(ctx context.Context, bucket Bucket, n int) (Allowance, error)
}

// unlimited is what a bucket without a limit is always answered.
var unlimited = Allowance{OK: true, Remaining: math.MaxInt32}

// LocalLimiter counts the calls of this process. Its memory is 8 bytes for each call of the last minute or two.
type LocalLimiter struct {
	now   func() time.Time
	start time.Time // calls are noted as time since then, on the monotonic clock

	mu sync.Mutex
	// By the bucket's ID.
	logs recent[string, *callLog]
}

// NewLocalLimiter gives a limiter that has counted nothing yet.
func NewLocalLimiter(now func() time.Time) *LocalLimiter {
	// A log that was not touched for a whole period of Window holds no call that counts: dropping it loses nothing.
	return &LocalLimiter{now: now, start: now(), logs: recent[string, *callLog]{period: Window}}
}

// Take never fails.
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
		// After a lowered limit more than Limit calls may count: the first ones to leave make no room yet.
		a.Wait = log.at(max(0, log.count-bucket.Limit)) + Window - at
	}
	return a, nil
}

// callLog is a ring of the moments of calls, oldest first.
type callLog struct {
	// Moments since the limiter began: 8 bytes each, where a time.Time has 24.
	ring  []time.Duration
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

// push adds a call. The ring doubles when it is full, so it is never larger than twice the busiest minute.
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
