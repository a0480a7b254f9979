package db

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// feed is what the followers of the change feed share. Its mutex is that of Followers.
type feed struct {
	Followers[models.Family, int64]
	// seen holds the newest generation of each family that was announced or read in this session.
	seen map[models.Family]int64
	// heard is the newest confirmed view, and nil while the connection is lost. View reads it
	// without the lock, on the way of every request.
	heard atomic.Pointer[heardView]
}

// Changes returns a channel that yields the generation of f soon, and again after each committed
// change. Of several generations that were not received in between only the newest is kept.
// Generations are never missed: they are read again whenever the connection was lost, and every
// second. The caller must call leave when done. Problems with the connection are logged to the
// logger of the first follower.
func (d *DB) Changes(ctx context.Context, f models.Family, logger *slog.Logger) (changes <-chan int64, leave func()) {
	fd := &d.feed
	return fd.Follow(ctx, f, Hooks[int64]{
		Begin: func() { fd.seen = map[models.Family]int64{} },
		Joined: func(ch chan<- int64) {
			if gen, ok := fd.seen[f]; ok {
				ch <- gen
			}
		},
		Run: func(ctx context.Context, s *Session) { d.followChanges(ctx, logger, s) },
		End: func() { fd.heard.Store(nil) },
	})
}

// tell passes a generation on to the followers of f. A notification may arrive after a reading that
// knew as much already, so only a newer generation counts.
func (fd *feed) tell(s *Session, f models.Family, gen int64) {
	fd.during(s, func() {
		if gen <= fd.seen[f] && fd.seen[f] != 0 {
			return
		}
		fd.seen[f] = gen
		if fd.heard.Load() != nil {
			fd.note()
		}
		fd.send(gen, func(of models.Family) bool { return of == f })
	})
}

// confirm notes that all generations were read just now, which keeps the view current.
func (fd *feed) confirm(s *Session) { fd.during(s, fd.note) }

// lose notes that the connection is gone. Without a view every cache asks the database, until the
// connection is back: a withheld record must not be served from memory meanwhile.
func (fd *feed) lose(s *Session) { fd.during(s, func() { fd.heard.Store(nil) }) }

// followChanges keeps the followers current until ctx ends. All generations are read each second,
// so that none is missed and the view is known to be the newest.
func (d *DB) followChanges(ctx context.Context, logger *slog.Logger, s *Session) {
	d.Follow(ctx, logger, Listener{
		channel: changesChannel,
		look: func(ctx context.Context, conn *pgx.Conn) error {
			err := readGenerations(ctx, conn, func(f models.Family, gen int64) { d.feed.tell(s, f, gen) })
			if err == nil {
				d.feed.confirm(s)
			}
			return err
		},
		Heard: func(payload string) {
			family, number, _ := strings.Cut(payload, " ")
			if gen, err := strconv.ParseInt(number, 10, 64); err == nil {
				d.feed.tell(s, models.Family(family), gen)
			}
		},
	}, func() { d.feed.lose(s) })
}

// readGenerations yields the generation of every family, in no order.
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
