package pg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// socketLimit is the longest path of a socket in bytes that works everywhere. The kernel's limit is 107 on
// Linux and 103 on macOS.
const socketLimit = 99

// socketName is the file that PostgreSQL makes in its socket directory for the port 5432.
const socketName = ".s.PGSQL.5432"

// ownerWait is how long Start waits for the lock before it reports the directory as in use. Commands that look
// whether a server runs hold the lock for a moment.
const ownerWait = 2 * time.Second

// home is the directory of one cluster. It belongs to the user who runs rollcall; what the database user writes are the
// folders in it:
//
//	lock      flocked by the process that owns the server
//	url       connection string, written when the server accepts connections
//	log       what the server has to say
//	cluster/  PGDATA
//	run/      the socket, unless its path would be too long
type home string

func (h home) lock() string    { return filepath.Join(string(h), "lock") }
func (h home) url() string     { return filepath.Join(string(h), "url") }
func (h home) log() string     { return filepath.Join(string(h), "log") }
func (h home) cluster() string { return filepath.Join(string(h), "cluster") }

// fresh is where the cluster is made before it has its final name.
func (h home) fresh() string { return filepath.Join(string(h), "cluster.new") }
func (h home) run() string   { return filepath.Join(string(h), "run") }

// locate returns the home that belongs to the data directory dir. It follows the link to a home elsewhere, but
// only to one that passes checkOwner. Without a home it returns fs.ErrNotExist.
func locate(dir string) (home, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", dir, err)
	}
	path := filepath.Join(abs, "pg")
	info, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("look for the cluster: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if path, err = os.Readlink(path); err != nil {
			return "", fmt.Errorf("look for the cluster: %w", err)
		}
	}
	return home(path), checkOwner(path, abs)
}

// makeHome returns the home of dir, or makes it where the database user can reach it: in dir, or for root in a
// system directory that dir then links to.
func makeHome(dir string, acct account) (home, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", dir, err)
	}
	// Others may pass through, so that a server that runs as another user reaches its cluster. The secrets in
	// the directory are files of mode 0600.
	if err := os.MkdirAll(abs, 0o711); err != nil { //nolint:gosec // see above
		return "", fmt.Errorf("make the data directory: %w", err)
	}
	h, err := locate(abs)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return h, err
	}
	link := filepath.Join(abs, "pg")
	if !acct.drop || acct.reaches(abs) {
		return home(link), makeDir(link, abs)
	}
	sum := sha256.Sum256([]byte(abs))
	name := hex.EncodeToString(sum[:8])
	var errs []error
	for _, path := range []string{"/var/lib/rollcall/" + name, "/var/tmp/rollcall-" + name} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // the database user passes through
			errs = append(errs, err)
			continue
		}
		if err := makeDir(path, abs); err != nil {
			errs = append(errs, err)
			continue
		}
		if !acct.reaches(path) {
			errs = append(errs, fmt.Errorf("%s: user %s cannot reach it", path, acct.name))
			continue
		}
		// An operator who finds the directory reads here whose cluster it is.
		err := os.WriteFile(filepath.Join(path, "data-directory"), []byte(abs+"\n"), 0o600)
		if err := errors.Join(err, os.Symlink(path, link)); err != nil {
			return "", fmt.Errorf("link the cluster: %w", err)
		}
		return home(path), nil
	}
	return "", fmt.Errorf("find a place that user %s can reach for the cluster: %w", acct.name, errors.Join(errs...))
}

// makeDir makes path, or accepts it when it exists and no other user can have planted it.
func makeDir(path, dataDir string) error {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	if err := os.Mkdir(path, mode); err == nil {
		// The umask may have closed it to the database user.
		if err := os.Chmod(path, mode); err != nil {
			return fmt.Errorf("make %s: %w", path, err)
		}
		return nil
	} else if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make %s: %w", path, err)
	}
	return checkOwner(path, dataDir)
}

// checkOwner refuses a home that another local user could have planted or can write to. With such a home that
// user could read or change every record. Root accepts the home of the user who owns the data directory, so
// that root can join.
func checkOwner(path, dataDir string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("check the cluster's directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", path)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s can be written by other users; it must have mode 0711 or 0700", path)
	}
	uid, _ := owner(info)
	me := os.Geteuid()
	if uid == me {
		return nil
	}
	if data, err := os.Stat(dataDir); err == nil && me == 0 {
		if of, _ := owner(data); of == uid {
			return nil
		}
	}
	return fmt.Errorf("%s belongs to user id %d, and this process runs as %d: run rollcall as that user, or name another data directory", path, uid, me)
}

// acquire takes the lock that makes this process the owner of the server. The lock ends with the process,
// however it ends. [ErrInUse] means that another process has it.
func (h home) acquire(ctx context.Context) (*os.File, error) {
	if info, err := os.Lstat(string(h)); err != nil {
		return nil, fmt.Errorf("open the cluster's directory: %w", err)
	} else if uid, _ := owner(info); uid != os.Geteuid() {
		return nil, fmt.Errorf("%s belongs to user id %d: start rollcall as that user", h, uid)
	}
	f, err := os.OpenFile(h.lock(), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the cluster's lock: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, ownerWait)
	defer cancel()
	err = poll(ctx, func() (bool, error) { return tryLock(f, true) })
	if err == nil {
		return f, nil
	}
	_ = f.Close() // nothing was written
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w: stop that process (%s), or give this one another ROLLCALL_DATA_DIR", ErrInUse, h)
	}
	return nil, fmt.Errorf("lock the cluster: %w", err)
}

// owned reports whether a living process holds the lock.
func (h home) owned() (bool, error) {
	f, err := os.Open(h.lock())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look who owns the cluster: %w", err)
	}
	defer func() { _ = f.Close() }() // closing gives the lock back
	free, err := tryLock(f, false)
	return !free, err
}

// socketDir makes the directory of the socket for acct: "run" in the home, or one in /tmp when that path is too
// long.
func (h home) socketDir(acct account) (string, error) {
	dir := h.run()
	if len(filepath.Join(dir, socketName)) > socketLimit {
		var err error
		if dir, err = os.MkdirTemp("/tmp", shortPrefix); err != nil {
			return "", fmt.Errorf("make a socket directory: %w", err)
		}
	} else if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("make a socket directory: %w", err)
	}
	return dir, acct.give(dir)
}

// shortPrefix begins the name of socket directories outside the home.
const shortPrefix = "rollcall-pg-"

// forget removes what points to a server that no longer runs: the url file and the socket. The url file is not
// trusted: only a directory of the expected name is removed.
func (h home) forget() error {
	url, err := os.ReadFile(h.url())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the last server's url: %w", err)
	}
	dir := socketDirOf(string(url))
	if dir != h.run() && !strings.HasPrefix(dir, "/tmp/"+shortPrefix) {
		dir = h.run()
	}
	err = errors.Join(os.RemoveAll(dir), os.RemoveAll(h.url())) //nolint:gosec // the file is ours
	if err != nil {
		return fmt.Errorf("remove the last server's socket: %w", err)
	}
	return nil
}

// poll calls ready every 20 ms until it returns true or an error, or until ctx ends.
func poll(ctx context.Context, ready func() (bool, error)) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if ok, err := ready(); ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
