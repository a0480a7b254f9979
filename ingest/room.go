package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// roomPrefix begins the names of the directories in which documents lie in clear while a run reads them.
const roomPrefix = "run-"

// room makes a directory for the documents of one run. It is held by a lock that ends with its process,
// however that ends, so whoever looks next knows that nobody reads what lies there and removes it: raw
// documents never stay in clear (FEEDS.md, guarantee 11). leave removes it.
func (r *Runner) room(ctx context.Context) (dir string, leave func(), err error) {
	err = r.inRooms(func() error {
		r.sweep(ctx)
		if dir, err = os.MkdirTemp(r.Dir, roomPrefix+"*"); err != nil {
			return err
		}
		held, err := os.Open(dir) //nolint:gosec // a directory of this run's own
		if err != nil {
			return err
		}
		leave = func() {
			if err := os.RemoveAll(dir); err != nil {
				r.Log.WarnContext(ctx, "documents of a run not removed", "error", err)
			}
			_ = held.Close()
		}
		return holdFile(held)
	})
	if err != nil {
		if leave != nil {
			leave()
		}
		return "", nil, fmt.Errorf("make directory for documents: %w", err)
	}
	return dir, leave, nil
}

// SweepRooms removes the documents that killed runs left behind, of every process that shares the directory.
func (r *Runner) SweepRooms(ctx context.Context) error {
	return r.inRooms(func() error {
		r.sweep(ctx)
		return nil
	})
}

// inRooms does something while nobody else makes or sweeps directories: a new one is never without its lock.
func (r *Runner) inRooms(do func() error) error {
	if r.Dir == "" {
		return errors.New("the runner has no directory")
	}
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return err
	}
	gate, err := os.OpenFile(filepath.Join(r.Dir, ".gate"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = gate.Close() }()
	if err := holdFile(gate); err != nil {
		return err
	}
	return do()
}

// sweep removes the directories that no process holds.
func (r *Runner) sweep(ctx context.Context) {
	entries, err := os.ReadDir(r.Dir)
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), roomPrefix) {
			err = errors.Join(err, removeLeft(filepath.Join(r.Dir, e.Name())))
		}
	}
	if err != nil {
		r.Log.WarnContext(ctx, "documents of a killed run not removed", "error", err)
	}
}

// removeLeft removes a directory unless somebody holds it.
func removeLeft(dir string) error {
	f, err := os.Open(dir) //nolint:gosec // found in the runner's own directory
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if left, err := nobodyHolds(f); !left || err != nil {
		return err
	}
	return os.RemoveAll(dir)
}
