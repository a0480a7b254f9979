package db

import (
	"context"
	"sync"
)

// Followers shares one listening connection among all that wait for news of something, which K
// names. The connection is not of the pool and is open while there are followers, so an idle
// process holds none. Of several news that a follower did not receive in between only the newest is
// kept. The zero value is ready. It is safe for concurrent use.
type Followers[K comparable, V any] struct {
	// mu guards what follows and orders the sends to channels. Hooks run under it but Run, so they
	// must not call methods of the same Followers.
	mu sync.Mutex
	// channels are the channels of the followers, each with what it follows. Each holds one value.
	channels map[chan V]K
	// session is the present or the last session. A late message of an earlier one is dropped
	// (during).
	session *Session
}

// Session is the time from the first follower to the last: one connection, which may be lost and
// made again meanwhile.
type Session struct {
	stop context.CancelFunc
	done chan struct{}
}

// Hooks are what a list of followers does beside passing news on. A nil hook does nothing; Run is
// required. All but Run are called under the list's lock.
type Hooks[V any] struct {
	// Run passes news on by Tell until ctx ends. It is called on a goroutine of its own.
	Run func(ctx context.Context, s *Session)
	// Begin is called before the first follower of a session.
	Begin func()
	// Joined is called with each new follower. Its channel is empty and has room for one value.
	Joined func(ch chan<- V)
	// End is called when the last follower of a session leaves.
	End func()
}

// Follow returns a channel of news of one thing. The caller must call leave when done. The leave of
// the last follower returns when the connection is closed, so a process that ends leaves none
// behind.
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

// leave removes a follower; for the last one it waits until the connection is closed.
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

// during runs fn under the lock, unless the session is over: a later session has followers of its
// own, whom news of an earlier connection would mislead.
func (f *Followers[K, V]) during(s *Session, fn func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s == f.session && len(f.channels) > 0 {
		fn()
	}
}

// Tell passes a value on to the followers of what is reports true for. It never blocks on a
// follower: a value that was not received yet is replaced.
func (f *Followers[K, V]) Tell(s *Session, v V, is func(what K) bool) {
	f.during(s, func() { f.send(v, is) })
}

// send is Tell under the lock. Only holders of the lock send, so the channel is free after the
// older value was taken out.
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

// call runs a hook, if there is one.
func call(hook func()) {
	if hook != nil {
		hook()
	}
}
