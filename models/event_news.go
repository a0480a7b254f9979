package models

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
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

// followEvents listens until ctx ends, connecting again when the connection is lost.
func (s *Store) followEvents(ctx context.Context, logger *slog.Logger, done chan struct{}) {
	defer close(done)
	wait := feedWait
	for {
		err := s.listenForEvents(ctx, func(accountID string) {
			wait = feedWait
			s.eventNews.tell(done, accountID)
		})
		if ctx.Err() != nil {
			return
		}
		logger.WarnContext(ctx, "news of events lost", "error", err, "retry", wait)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		wait = min(2*wait, feedLongWait)
	}
}

// listenForEvents yields every account that is announced, and "" for all of them once it is
// connected and every feedPoll.
func (s *Store) listenForEvents(ctx context.Context, heard func(accountID string)) error {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("connect for news of events: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), feedPatience)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, `listen rollcall_events`); err != nil {
		return fmt.Errorf("listen for events: %w", err)
	}
	for {
		heard("")
		if err := hearEvents(ctx, conn, heard); err != nil {
			return fmt.Errorf("wait for events: %w", err)
		}
	}
}

// hearEvents yields announced accounts for the length of feedPoll.
func hearEvents(ctx context.Context, conn *pgx.Conn, heard func(string)) error {
	until, cancel := context.WithTimeout(ctx, feedPoll)
	defer cancel()
	for {
		n, err := conn.WaitForNotification(until)
		if err != nil {
			if until.Err() != nil && ctx.Err() == nil && !conn.IsClosed() {
				return nil
			}
			return err
		}
		heard(n.Payload)
	}
}
