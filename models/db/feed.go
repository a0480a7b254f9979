package db

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// feed shares one listening connection among all who follow changes. The connection is not of
// the pool and is kept while there are followers.
type feed struct {
	mu        sync.Mutex
	seen      map[models.Family]int64 // newest generations heard of
	followers map[chan int64]models.Family
	stop      context.CancelFunc
	done      chan struct{}
	heard     atomic.Pointer[heardView] // nil while the connection is lost
}

// Changes gives a channel that yields the generation of f soon, and again after each committed
// change; of several that nobody took in between only the newest is kept. Generations are never
// missed: they are read again whenever the connection was lost, and every second. The caller
// must call leave when done. Trouble with the connection is logged to the first follower's logger.
func (d *DB) Changes(ctx context.Context, f models.Family, logger *slog.Logger) (changes <-chan int64, leave func()) {
	fd := &d.feed
	ch := make(chan int64, 1)
	fd.mu.Lock()
	defer fd.mu.Unlock()
	if len(fd.followers) == 0 {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // the last follower ends it
		fd.seen, fd.followers, fd.stop, fd.done = map[models.Family]int64{}, map[chan int64]models.Family{}, stop, make(chan struct{})
		go d.followChanges(ctx, logger, fd.done)
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
func (fd *feed) tell(done chan struct{}, f models.Family, gen int64) {
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

// followChanges keeps the feed's followers current until ctx ends: all generations are read each second, so that
// none is missed and the view is known to be the newest.
func (d *DB) followChanges(ctx context.Context, logger *slog.Logger, done chan struct{}) {
	defer close(done)
	d.Follow(ctx, logger, Listener{
		channel: changesChannel,
		look: func(ctx context.Context, conn *pgx.Conn) error {
			err := readGenerations(ctx, conn, func(f models.Family, gen int64) { d.feed.tell(done, f, gen) })
			if err == nil {
				d.feed.confirm(done)
			}
			return err
		},
		Heard: func(payload string) {
			family, number, _ := strings.Cut(payload, " ")
			if gen, err := strconv.ParseInt(number, 10, 64); err == nil {
				d.feed.tell(done, models.Family(family), gen)
			}
		},
	}, func() { d.feed.lose(done) })
}

// readGenerations yields the generation of every family.
func readGenerations(ctx context.Context, conn *pgx.Conn, yield func(models.Family, int64)) error {
	rows, err := conn.Query(ctx, `select family, gen from generations`)
	if err != nil {
		return err
	}
	var (
		family string
		gen    int64
	)
	_, err = pgx.ForEachRow(rows, []any{&family, &gen}, func() error {
		yield(models.Family(family), gen)
		return nil
	})
	return err
}
