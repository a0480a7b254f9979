package alert

import (
	"context"
	"log/slog"
	"sync"

	"rollcall/models/db"
)

// eventNews shares one listening connection among all who wait for events of accounts. The
// connection is not of the pool and is kept while there are followers.
type eventNews struct {
	mu        sync.Mutex
	followers map[chan struct{}]string // the account that each waits for
	stop      context.CancelFunc
	done      chan struct{}
}

// EventNews gives a channel that yields after events of an account were committed, and now and then
// without a reason: whoever follows reads what there is (EventsAfter) each time, so news that come
// while nobody takes them are one. None is missed, also when the connection was lost in between. The
// caller must call leave when done. Trouble with the connection is logged to the first follower's logger.
func (s *Store) EventNews(ctx context.Context, accountID string, logger *slog.Logger) (news <-chan struct{}, leave func()) {
	n := &s.eventNews
	ch := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.followers) == 0 {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // the last follower ends it
		n.followers, n.stop, n.done = map[chan struct{}]string{}, stop, make(chan struct{})
		go s.followEvents(ctx, logger, n.done)
	}
	n.followers[ch] = accountID
	return ch, sync.OnceFunc(func() { n.leave(ch) })
}

// leave forgets a follower; the last one waits until the connection is closed.
func (n *eventNews) leave(ch chan struct{}) {
	n.mu.Lock()
	delete(n.followers, ch)
	last, done := len(n.followers) == 0, n.done
	if last {
		n.stop()
	}
	n.mu.Unlock()
	if last {
		<-done
	}
}

// tell wakes the followers of an account, or all when it is empty. done tells this connection's
// followers from later ones.
func (n *eventNews) tell(done chan struct{}, accountID string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if done != n.done {
		return
	}
	for ch, of := range n.followers {
		if accountID != "" && of != accountID {
			continue
		}
		select {
		case ch <- struct{}{}:
		default: // it has not yet taken the last news
		}
	}
}

// followEvents wakes the followers until ctx ends.
func (s *Store) followEvents(ctx context.Context, logger *slog.Logger, done chan struct{}) {
	defer close(done)
	tell := func(accountID string) { s.eventNews.tell(done, accountID) }
	l := db.Whenever(db.EventsChannel, func() { tell("") })
	l.Heard = tell
	s.Follow(ctx, logger, l, func() {})
}
