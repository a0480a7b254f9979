package vault

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"time"
)

const (
	// unfinished is what the names of files begin with that are being written.
	unfinished = ".part-"
	// abandoned is the age at which nobody is writing a file any more.
	abandoned = time.Hour
)

// directory is a place on a disk. Its root follows no link out of it.
type directory struct{ root *os.Root }

// openDirectory creates a directory that nobody else may enter.
func openDirectory(dir string) (place, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // where modes say nothing
		return nil, fmt.Errorf("%s can be entered by others (mode %04o): chmod 700 it, or name a directory below it that does not exist yet", dir, info.Mode().Perm())
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &directory{root}, nil
}

// put writes beside the name, and renames what is whole.
func (d *directory) put(_ context.Context, name string, b []byte) (err error) {
	if err := d.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	part := unfinished + rand.Text()
	f, err := d.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = d.root.Remove(part)
		}
	}()
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return d.root.Rename(part, name)
}

// open begins to read a file.
func (d *directory) open(_ context.Context, name string) (io.ReadCloser, int64, error) {
	f, err := d.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// remove deletes a file.
func (d *directory) remove(_ context.Context, name string) error {
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// list walks through the files, and deletes those that a process that was ended left unfinished.
func (d *directory) list(ctx context.Context, each func(string, time.Time) error) error {
	return fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, unfinished) {
			if time.Since(info.ModTime()) > abandoned {
				return d.remove(ctx, name)
			}
			return nil
		}
		return each(name, info.ModTime())
	})
}
