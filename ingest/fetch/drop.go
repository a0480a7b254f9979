package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// listAtMost bounds how many names of a place are looked at, so that a prefix chosen too wide is an error and
// does not list for ever.
const listAtMost = 200_000

// Keys open the places where files are dropped. They come from the environment, never from a source document.
type Keys struct {
	// SFTP is from ROLLCALL_SFTP_USER and its like, S3 from ROLLCALL_S3_KEY and its like.
	SFTP Login
	S3   S3Key
	// AzureSAS is the query of a shared access signature of a container.
	AzureSAS string
	// Web is which certificates of buckets are trusted; tests trust a server of their own.
	Web WebTrust
}

// Object is one file of a place.
type Object struct {
	// Name is its whole key in a bucket, and its name in a folder.
	Name string
	// Mark stands for its content: another one means that the file was written again.
	Mark string
	// Size is in bytes.
	Size int64
	// Modified is as the place states it; it decides the order in which files are read.
	Modified time.Time
	// At is the instant that the file speaks of: from its name, else Modified.
	At time.Time
	// Named reports whether At is from the name.
	Named bool
}

// place is where files are dropped: a folder, an SFTP server, a bucket.
type place interface {
	// list yields the files in any order. It ends with the error of each.
	list(ctx context.Context, each func(Object) error) error
	// open begins to read a file of the list. It must not lead out of the place, whatever the name is.
	open(ctx context.Context, name string) (io.ReadCloser, error)
	// close ends the connection.
	close()
}

// Drop is an open place with the files of one source. It is used by one goroutine.
type Drop struct {
	place
	// pattern fits the names of the source's files.
	pattern  *regexp.Regexp
	observed Observed
	// folder is what stands before the names of files in a bucket; empty elsewhere.
	folder string
	// named reports that the place is a folder, whose names may be looked through; cases are those names by their small letters.
	named bool
	cases map[string][]string
}

// Drops reports whether files are dropped for the source at a place that can be looked at. Files that an
// operator brings have none.
func (s *Spec) Drops() bool {
	switch s.Kind {
	case "folder":
		return s.Folder != ""
	case "sftp", "s3", "azure":
		return true
	default:
		return false
	}
}

// Drop opens the place. The caller closes it. A place that does not answer, or keys that are missing, are an
// error.
func (s *Spec) Drop(ctx context.Context, keys Keys) (*Drop, error) {
	pattern, err := regexp.Compile(s.Pattern)
	if err != nil {
		return nil, fmt.Errorf("read pattern: %w", err)
	}
	d := &Drop{pattern: pattern, observed: s.Observed}
	switch s.Kind {
	case "folder":
		d.place, d.named = folder(s.Folder), true
	case "sftp":
		d.named = true
		d.place, err = s.sftp(ctx, keys.SFTP)
	case "s3":
		d.folder = s.Folder
		d.place, err = s.s3(keys)
	case "azure":
		d.folder = s.Folder
		d.place, err = s.azure(keys)
	default:
		err = fmt.Errorf("no files are dropped for transport %q", s.Kind)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// List returns the files whose names fit the pattern. Names that begin with a dot are still being written and
// wait for the next time. A list that cannot be read to its end is ErrIncomplete.
func (d *Drop) List(ctx context.Context) ([]Object, error) {
	var files []Object
	looked := 0
	err := d.list(ctx, func(o Object) error {
		if looked++; looked > listAtMost {
			return fmt.Errorf("%w: more than %d files lie there; name a narrower folder", ErrIncomplete, listAtMost)
		}
		base := path.Base(o.Name)
		if base[0] == '.' || !d.pattern.MatchString(base) {
			return nil
		}
		var err error
		if o.At, o.Named, err = d.observed.At(base); err != nil {
			return err
		}
		if !o.Named {
			o.At = o.Modified
		}
		files = append(files, o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return files, nil
}

// Copy writes a file of the place to a new file and returns its size. A file of more than most bytes is
// ErrIncomplete, and so is one that breaks off.
func (d *Drop) Copy(ctx context.Context, name, to string, most int64) (int64, error) {
	in, err := d.open(ctx, name)
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", name, err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(filepath.Clean(to), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return 0, fmt.Errorf("keep %s: %w", name, err)
	}
	n, err := io.Copy(out, io.LimitReader(in, most+1))
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return n, fmt.Errorf("%w: read %s: %w", ErrIncomplete, name, err)
	}
	if n > most {
		return n, fmt.Errorf("%w: %s has more bytes than the limits allow", ErrIncomplete, name)
	}
	return n, nil
}

// Close ends the connection to the place.
func (d *Drop) Close() { d.close() }

// folder is a place on this machine.
type folder string

// list yields the regular files of a folder. One that vanishes meanwhile is left out.
func (f folder) list(_ context.Context, each func(Object) error) error {
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return fmt.Errorf("list folder: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue // taken away meanwhile, or no file
		}
		if err != nil {
			return fmt.Errorf("list folder: %w", err)
		}
		if err := each(fileObject(info)); err != nil {
			return err
		}
	}
	return nil
}

// open opens a file of the folder; Base keeps a name from leading out of it. What was a file when it was listed may be a link
// to another file now, or a pipe that nobody writes to: neither is followed or waited for.
func (f folder) open(_ context.Context, name string) (io.ReadCloser, error) {
	file, err := os.OpenFile(filepath.Join(string(f), filepath.Base(name)), os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file any more")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// close does nothing: a folder needs no connection.
func (f folder) close() {}

// fileObject is a file with no version of its own: size and time tell when it was written again.
func fileObject(info os.FileInfo) Object {
	return Object{
		Name: info.Name(), Size: info.Size(), Modified: info.ModTime(),
		Mark: strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().UTC().Format(time.RFC3339Nano),
	}
}
