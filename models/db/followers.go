package db

import (
	"context"
	"sync"
)

// Followers shares one listening connection among all who wait for news of something, which K names. The connection is not
// of the pool and is kept while there are followers. Of several news that a follower did not take in between only the
// newest is kept. The zero value is ready.
type Followers[K comparable, V any] struct {
	mu       sync.Mutex
	channels map[chan V]K // what each follows
	session  *Session
}

// Session is the time from the first follower to the last: one connection, which may be lost and made again.
type Session struct {
	stop context.CancelFunc
	done chan struct{}
}

// Hooks are what a list of followers does beside passing news on; nil does nothing. All but Run hold the list's lock.
type Hooks[V any] struct {
	Run    func(ctx context.Context, s *Session) // passes news on (Tell) until ctx ends
	Begin  func()                                // before the first follower
	Joined func(ch chan<- V)                     // with each new follower, whose channel holds one value
	End    func()                                // after the last follower
}

// Follow returns a channel of news of one thing. The caller must call leave when done; the last follower's returns when
// the connection is closed.
func (f *Followers[K, V]) Follow(ctx context.Context, what K, h Hooks[V]) (news <-chan V, leave func()) {
	ch := make(chan V, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.channels) == 0 {
		call(h.Begin)
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // the last follower ends it
		s := &Session{stop: stop, done: make(chan struct{})}
		f.channels, f.session = map[chan V]K{}, s
		go func() {
			defer close(s.done)
			h.Run(ctx, s)
		}()
	}
	f.channels[ch] = what
	if h.Joined != nil {
		h.Joined(ch)
	}
	return ch, sync.OnceFunc(func() { f.leave(ch, h.End) })
}

// leave forgets a follower; the last one waits until the connection is closed.
func (f *Followers[K, V]) leave(ch chan V, end func()) {
	f.mu.Lock()
	delete(f.channels, ch)
	s, last := f.session, len(f.channels) == 0
	if last {
		s.stop()
		call(end)
	}
	f.mu.Unlock()
	if last {
		<-s.done
	}
}

// during runs fn under the lock, unless the session is over: a later one has followers of its own.
func (f *Followers[K, V]) during(s *Session, fn func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s == f.session && len(f.channels) > 0 {
		fn()
	}
}

// Tell passes a value on to the followers that it is for.
func (f *Followers[K, V]) Tell(s *Session, v V, is func(what K) bool) {
	f.during(s, func() { f.send(v, is) })
}

// send is Tell under the lock.
func (f *Followers[K, V]) send(v V, is func(what K) bool) {
	for ch, what := range f.channels {
		if !is(what) {
			continue
		}
		select {
		case <-ch: // an older one that nobody took
		default:
		}
		ch <- v
	}
}

func call(hook func()) {
	if hook != nil {
		hook()
	}
}
