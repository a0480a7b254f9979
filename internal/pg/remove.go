package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Remove deletes the cluster of the data directory dir with all its data, wherever it is. It refuses with
// [ErrInUse] while a process runs it, and does nothing when there is none. Other files in dir stay.
func Remove(ctx context.Context, dir string) error {
	h, err := locate(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	lock, err := h.acquire(ctx)
	if err != nil {
		return err
	}
	// Holding the lock is not enough: a killed owner may have left its server running.
	err = errors.Join(h.settle(ctx), h.forget())
	if err == nil {
		// The link to a cluster elsewhere goes last: until then a second try finds what is left.
		err = errors.Join(os.RemoveAll(string(h)), os.RemoveAll(filepath.Join(dir, "pg")))
	}
	if err = errors.Join(err, lock.Close()); err != nil {
		return fmt.Errorf("remove the cluster of %s: %w", dir, err)
	}
	return nil
}
