package models

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	feedPoll     = time.Second     // between looks at the generations, should a notification be lost
	feedPatience = 5 * time.Second // for a look, before the connection counts as dead
	feedWait     = 250 * time.Millisecond
	feedLongWait = 15 * time.Second
)

// feed shares one listening connection among all who follow changes. The connection is not of
// the pool and is kept while there are followers.
type feed struct {
	mu        sync.Mutex
	seen      map[Family]int64 // newest generations heard of
	followers map[chan int64]Family
	stop      context.CancelFunc
	done      chan struct{}
	heard     atomic.Pointer[heardView] // nil while the connection is lost
}

// Changes gives a channel that yields the generation of f soon, and again after each committed
// change; of several that nobody took in between only the newest is kept. Generations are never
// missed: they are read again whenever the connection was lost, and every second. The caller
// must call leave when done. Trouble with the connection is logged to the first follower's logger.
func (s *Store) Changes(ctx context.Context, f Family, logger *slog.Logger) (changes <-chan int64, leave func()) {
	fd := &s.feed
	ch := make(chan int64, 1)
	fd.mu.Lock()
	defer fd.mu.Unlock()
	if len(fd.followers) == 0 {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // the last follower ends it
		fd.seen, fd.followers, fd.stop, fd.done = map[Family]int64{}, map[chan int64]Family{}, stop, make(chan struct{})
		go s.follow(ctx, logger, fd.done)
	}
	fd.followers[ch] = f
	if gen, ok := fd.seen[f]; ok {
		ch <- gen
	}
	return ch, sync.OnceFunc(func() { fd.leave(ch) })
}

// leave forgets a follower; the last one waits until the connection is closed.
func (fd *feed) leave(ch chan int64) {
	fd.mu.Lock()
	delete(fd.followers, ch)
	last, done := len(fd.followers) == 0, fd.done
	if last {
		fd.stop()
		fd.heard.Store(nil)
	}
	fd.mu.Unlock()
	if last {
		<-done
	}
}

// tell passes a generation on to the followers of f. done tells this feed from a later one.
func (fd *feed) tell(done chan struct{}, f Family, gen int64) {
	fd.mu.Lock()
	defer fd.mu.Unlock()
	if done != fd.done || gen <= fd.seen[f] && fd.seen[f] != 0 {
		return
	}
	fd.seen[f] = gen
	if fd.heard.Load() != nil {
		fd.note()
	}
	for ch, of := range fd.followers {
		if of != f {
			continue
		}
		select {
		case <-ch: // an older one that nobody took
		default:
		}
		ch <- gen
	}
}

// confirm says that all generations were read just now.
func (fd *feed) confirm(done chan struct{}) {
	fd.mu.Lock()
	defer fd.mu.Unlock()
	if done == fd.done && len(fd.followers) > 0 {
		fd.note()
	}
}

// lose says that the connection is gone: changes go unheard until it is back.
func (fd *feed) lose(done chan struct{}) {
	fd.mu.Lock()
	defer fd.mu.Unlock()
	if done == fd.done {
		fd.heard.Store(nil)
	}
}

// follow listens until ctx ends, connecting again when the connection is lost.
func (s *Store) follow(ctx context.Context, logger *slog.Logger, done chan struct{}) {
	defer close(done)
	wait := feedWait
	for {
		err := s.listen(ctx, func(f Family, gen int64) {
			wait = feedWait
			s.feed.tell(done, f, gen)
		}, func() { s.feed.confirm(done) })
		s.feed.lose(done)
		if ctx.Err() != nil {
			return
		}
		logger.WarnContext(ctx, "change feed lost", "error", err, "retry", wait)
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

// listen yields all generations once it is connected, and each that is announced after; all are confirmed
// to be the newest each second.
func (s *Store) listen(ctx context.Context, heard func(Family, int64), confirmed func()) error {
	cfg := s.pool.Config().ConnConfig
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect change feed: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), feedPatience)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, `listen rollcall_changes`); err != nil {
		return fmt.Errorf("listen for changes: %w", err)
	}
	for {
		if err := readGenerations(ctx, conn, heard); err != nil {
			return fmt.Errorf("read generations: %w", err)
		}
		confirmed()
		if err := hear(ctx, conn, heard); err != nil {
			return fmt.Errorf("wait for changes: %w", err)
		}
	}
}

// readGenerations yields the generation of every family.
func readGenerations(ctx context.Context, conn *pgx.Conn, heard func(Family, int64)) error {
	ctx, cancel := context.WithTimeout(ctx, feedPatience)
	defer cancel()
	rows, err := conn.Query(ctx, `select family, gen from generations`)
	if err != nil {
		return err
	}
	var (
		family string
		gen    int64
	)
	_, err = pgx.ForEachRow(rows, []any{&family, &gen}, func() error {
		heard(Family(family), gen)
		return nil
	})
	return err
}

// hear yields announced generations for the length of feedPoll.
func hear(ctx context.Context, conn *pgx.Conn, heard func(Family, int64)) error {
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
		family, number, _ := strings.Cut(n.Payload, " ")
		if gen, err := strconv.ParseInt(number, 10, 64); err == nil {
			heard(Family(family), gen)
		}
	}
}
