package pg

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
)

// The server may write up to max_wal_size of log between two checkpoints, because a bulk load that stops for one every
// few seconds takes twice as long. Nobody needs that log once the load is over. So the owner watches the log, and makes a
// checkpoint when it has grown and the load has passed.
const (
	// walEvery is how often the owner looks at the log.
	walEvery = 5 * time.Second
	// walEnough is the size in bytes from which on a checkpoint is worth its cost.
	walEnough = 64 * mb
	// walCalm is the growth in bytes between two looks up to which a server is quiet. With walEnough it keeps the log of a
	// quiet server below 128 MB.
	walCalm = 32 * mb
	// walQuiet is how many looks in a row a server must be quiet before a load is over. A load reads and compares for a
	// while between its writes, and after a checkpoint in the middle it would log whole pages again.
	walQuiet = 6
)

// walWatch is what the owner of a server knows of its log from one look to the next.
type walWatch struct {
	// dir holds the log; it shrinks when a checkpoint is over.
	dir string
	// admin is the connection string of a superuser.
	admin string
	log   *slog.Logger
	// last is the size at the last look.
	last int64
	// busy is how many more quiet looks a load needs before it is over.
	busy int
}

// run looks at the log until stop or exited is closed.
func (w *walWatch) run(stop, exited <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick := time.NewTicker(walEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-exited:
			return
		case <-tick.C:
		}
		// A log that stays large is no reason to stop the service. The next look tries again.
		if err := w.look(ctx); err != nil {
			w.log.WarnContext(ctx, "log of the database not shortened", "error", err)
		}
	}
}

// look makes a checkpoint if the log is worth it and grows slowly.
func (w *walWatch) look(ctx context.Context) error {
	size, err := walSize(w.dir)
	if err != nil {
		return err
	}
	grown := size - w.last
	w.last = size
	if grown > walCalm {
		w.busy = walQuiet
	} else if w.busy > 0 {
		w.busy--
	}
	if size < walEnough || w.busy > 0 {
		return nil
	}
	if err := checkpoint(ctx, w.admin); err != nil {
		return err
	}
	w.last, err = walSize(w.dir)
	return err
}

// checkpoint writes what is in memory to the tables. After it the log before it is deleted (wal_recycle is off).
func checkpoint(ctx context.Context, admin string) error {
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return fmt.Errorf("make a checkpoint: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `CHECKPOINT`); err != nil {
		return fmt.Errorf("make a checkpoint: %w", err)
	}
	return nil
}

// walSize returns how many bytes the files of the log take.
func walSize(dir string) (size int64, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("look at the log: %w", err)
	}
	for _, e := range entries {
		// A file that was deleted meanwhile takes no room.
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	return size, nil
}

// wal is the folder of the cluster's log.
func (h home) wal() string { return filepath.Join(h.cluster(), "pg_wal") }
