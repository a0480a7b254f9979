package auth

import (
	"context"
	"fmt"
	"sync"

	"rollcall/models"
)

// MostStreams is how many subscriptions, and how many websockets, one account may have open at once through one process; of
// pages, one user.
const MostStreams = 50

// Streams bounds what callers hold open. Requests are limited by the minute, but a stream lasts for days. It counts in this
// process alone: with N replicas an account may have N times as many. The zero value is ready; it is safe for concurrent use.
type Streams struct {
	mu sync.Mutex
	// Open ones by kind and bucket.
	open map[string]int
}

// Enter counts a stream of the caller of ctx until leave is called, any number of times. kind is what is counted, in the
// plural, such as "websockets". A stream takes no place in the caller's Line. CodeRateLimited: the caller has too many of them.
func (s *Streams) Enter(ctx context.Context, kind string) (leave func(), err error) {
	c, ok := FromContext(ctx)
	if !ok {
		return func() {}, nil
	}
	id := kind + " " + c.buckets()[0].ID
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id] >= MostStreams {
		return nil, &models.Error{
			Code:    models.CodeRateLimited,
			Message: fmt.Sprintf("too many streams: %d %s are open already; close one, then open another", MostStreams, kind),
		}
	}
	if s.open == nil {
		s.open = map[string]int{}
	}
	s.open[id]++
	LeaveLine(ctx)
	return sync.OnceFunc(func() { s.leave(id) }), nil
}

// leave ends a stream.
func (s *Streams) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[id]--; s.open[id] == 0 {
		delete(s.open, id)
	}
}

// Open returns how many streams of all callers are open, for metrics and tests.
func (s *Streams) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, of := range s.open {
		n += of
	}
	return n
}
