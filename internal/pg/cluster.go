package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// major returns the major version of the home's cluster, or 0 when there is no cluster yet.
func (h home) major() (int, error) {
	text, err := os.ReadFile(filepath.Join(h.cluster(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the cluster's version: %w", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("read the cluster's version: %w", err)
	}
	return n, nil
}

// initialise makes the cluster beside its final place and renames it when it is complete. A kill in between
// leaves nothing that looks like a cluster. Role is its superuser. Connections need no password, because the
// directory of the socket lets only the right users in. durable false skips the sync to disk.
func (h home) initialise(ctx context.Context, b binaries, acct account, durable bool) error {
	if err := os.RemoveAll(h.fresh()); err != nil {
		return fmt.Errorf("clear a half-made cluster: %w", err)
	}
	if err := os.Mkdir(h.fresh(), 0o700); err != nil {
		return fmt.Errorf("make the cluster: %w", err)
	}
	if err := acct.give(h.fresh()); err != nil {
		return err
	}
	// UTF8 and the sorting by byte are what the pinned order of lists needs (DECISIONS.md, Lists and
	// parameters).
	args := []string{"-D", h.fresh(), "-U", Role, "-A", "trust", "-E", "UTF8", "--no-instructions"}
	if !durable {
		args = append(args, "--no-sync")
	}
	out, err := b.initdb(ctx, acct, append(args, "--locale=C.UTF-8")...)
	if err != nil && strings.Contains(out, "locale") {
		// A system without that locale sorts by byte as well. Only its case mapping is limited to ASCII, and
		// names are folded by the package match.
		out, err = b.initdb(ctx, acct, append(args, "--locale=C")...)
	}
	if err != nil {
		return fmt.Errorf("make the cluster: %w: %s", err, strings.TrimSpace(out))
	}
	if err := os.Rename(h.fresh(), h.cluster()); err != nil {
		return fmt.Errorf("make the cluster: %w", err)
	}
	return nil
}

// initdb runs initdb as acct and returns what it prints.
func (b binaries) initdb(ctx context.Context, acct account, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.dir, "initdb"), args...) //nolint:gosec // the operator's binaries
	cmd.Dir = "/"
	cmd.Env = b.environment()
	detach(cmd, acct, syscall.SIGKILL)
	var out []byte
	var err error
	onOwnThread(func() { out, err = cmd.CombinedOutput() })
	return string(out), err
}

// settle leaves no process of an earlier server behind. One that outlived its owner is asked to stop, first
// gently and then by a kill. Two servers on one cluster would destroy it, so a process that does not end is an
// error. After that the pid file names nothing, whatever process has that number now.
func (h home) settle(ctx context.Context) error {
	for _, try := range []struct {
		sig  syscall.Signal
		wait time.Duration
	}{
		{sig: 0, wait: 2 * time.Second}, // backends without a postmaster and an orphaned postmaster end by themselves
		{sig: syscall.SIGINT, wait: 20 * time.Second},
		{sig: syscall.SIGQUIT, wait: 5 * time.Second},
		{sig: syscall.SIGKILL, wait: 5 * time.Second},
	} {
		for _, pid := range servers(h.cluster()) {
			if p, err := os.FindProcess(pid); err == nil && try.sig != 0 {
				_ = p.Signal(try.sig) // it may have ended meanwhile
			}
		}
		ctx, cancel := context.WithTimeout(ctx, try.wait)
		err := poll(ctx, func() (bool, error) { return len(servers(h.cluster())) == 0, nil })
		cancel()
		if err == nil {
			return h.clearPID()
		}
	}
	return fmt.Errorf("processes %v of an earlier server of %s do not end", servers(h.cluster()), h)
}

// clearPID removes a pid file that no server owns. PostgreSQL would otherwise refuse to start if another
// process has that number.
func (h home) clearPID() error {
	err := os.Remove(filepath.Join(h.cluster(), "postmaster.pid"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear the pid file: %w", err)
	}
	return nil
}
