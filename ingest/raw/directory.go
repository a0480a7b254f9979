package raw

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// Directory is where the documents of runs lie in clear while they are read. Several processes may share it.
type Directory struct {
	Path string
	Log  *slog.Logger
}

// prefix begins the names of the directories in which documents lie in clear while a run reads them.
const prefix = "run-"

// Make makes a directory for the documents of one run. It is held by a lock that ends with its process,
// however that ends. So the next process that looks knows that the documents are not read any more, and removes them: raw
// documents never stay in clear (FEEDS.md, guarantee 11). leave removes it.
func (d Directory) Make(ctx context.Context) (dir string, leave func(), err error) {
	err = d.alone(func() error {
		d.sweep(ctx)
		if dir, err = os.MkdirTemp(d.Path, prefix+"*"); err != nil {
			return err
		}
		held, err := os.Open(dir) //nolint:gosec // a directory of this run's own
		if err != nil {
			return err
		}
		leave = func() {
			if err := os.RemoveAll(dir); err != nil {
				d.Log.WarnContext(ctx, "documents of a run not removed", "error", err)
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

// Sweep removes the documents that killed runs left behind, of every process that shares the directory.
func (d Directory) Sweep(ctx context.Context) error {
	return d.alone(func() error {
		d.sweep(ctx)
		return nil
	})
}

// alone does something while nobody else makes or sweeps directories: a new one is never without its lock.
func (d Directory) alone(do func() error) error {
	if d.Path == "" {
		return errors.New("the runner has no directory")
	}
	if err := os.MkdirAll(d.Path, 0o700); err != nil {
		return err
	}
	gate, err := os.OpenFile(filepath.Join(d.Path, ".gate"), os.O_CREATE|os.O_RDWR, 0o600)
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
func (d Directory) sweep(ctx context.Context) {
	entries, err := os.ReadDir(d.Path)
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) {
			err = errors.Join(err, removeLeft(filepath.Join(d.Path, e.Name())))
		}
	}
	if err != nil {
		d.Log.WarnContext(ctx, "documents of a killed run not removed", "error", err)
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
