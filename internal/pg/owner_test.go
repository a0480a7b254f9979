//go:build unix

package pg

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestServerSurvivesEveryKill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kill func(t *testing.T, p *ownerProcess, postmaster int)
	}{
		{"kill -9 of the owner", func(t *testing.T, p *ownerProcess, _ int) {
			t.Helper()
			p.kill(t)
		}},
		{"kill -9 of the postmaster and then of the owner", func(t *testing.T, p *ownerProcess, postmaster int) {
			t.Helper()
			killHard(t, postmaster)
			p.kill(t)
		}},
		{"kill -9 of the owner and then of the postmaster", func(t *testing.T, p *ownerProcess, postmaster int) {
			t.Helper()
			require.NoError(t, p.cmd.Process.Kill())
			killHard(t, postmaster)
			_ = p.cmd.Wait() // says that it was killed
		}},
		{"an end in good order", func(t *testing.T, p *ownerProcess, _ int) {
			t.Helper()
			require.NoError(t, p.in.Close())
			require.NoError(t, p.cmd.Wait())
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			p := startOwner(t, dir)
			note(t, p.url)
			// A session that is at work when it happens is what makes a successor wait.
			busy, err := pgx.Connect(t.Context(), p.url)
			require.NoError(t, err)
			defer func() { _ = busy.Close(context.WithoutCancel(t.Context())) }() // cut by the kill
			c.kill(t, p, postmaster(t, dir))

			srv := start(t, dir)
			noted(t, srv.URL())
			require.Equal(t, srv.proc.Pid, postmaster(t, dir))
		})
	}
}

func TestDoneTellsThatTheServerEndedByItself(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	srv := start(t, dir)
	note(t, srv.URL())
	require.NoError(t, srv.Err())
	killHard(t, postmaster(t, dir))
	<-srv.Done()
	require.ErrorContains(t, srv.Err(), "ended by itself")
	require.NoError(t, srv.Stop())
	noted(t, start(t, dir).URL())
}

func TestSecondOwnerIsRefused(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	p := startOwner(t, dir)
	_, err := Start(t.Context(), Options{Dir: dir})
	require.ErrorIs(t, err, ErrInUse)
	require.ErrorContains(t, err, "ROLLCALL_DATA_DIR")
	note(t, p.url)
}

func TestOtherProcessesJoinTheRunningServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, err := Join(t.Context(), dir)
	require.ErrorIs(t, err, ErrNotRunning, "nothing was ever started")

	p := startOwner(t, dir)
	url, err := Join(t.Context(), dir)
	require.NoError(t, err)
	note(t, url)
	noted(t, p.url)

	p.kill(t)
	_, err = Join(t.Context(), dir)
	require.ErrorIs(t, err, ErrNotRunning, "its owner was killed")
}

func TestJoinWaitsForAServerThatIsStarting(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, acct, err := settleHome(dir)
	require.NoError(t, err)
	h, err := makeHome(dir, acct)
	require.NoError(t, err)
	lock, err := h.acquire(t.Context())
	require.NoError(t, err)
	defer func() { _ = lock.Close() }() // given back only when the test has ended

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = Join(ctx, dir)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, ErrNotRunning)
}

func TestOpenJoinsOrStarts(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	o := Options{Dir: dir, Fast: true}
	owned, closeOwned, err := Open(t.Context(), o)
	require.NoError(t, err)
	note(t, owned)
	joined, closeJoined, err := Open(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, owned, joined)
	require.NoError(t, closeJoined())
	noted(t, owned)
	require.NoError(t, closeOwned())
	_, err = Join(t.Context(), dir)
	require.ErrorIs(t, err, ErrNotRunning)
}

func TestStalePidFileOfAnotherLivingProcess(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	srv := start(t, dir)
	note(t, srv.URL())
	require.NoError(t, srv.Stop())

	other := exec.CommandContext(t.Context(), "sleep", "600")
	require.NoError(t, other.Start())
	t.Cleanup(func() {
		_ = other.Process.Kill()
		_ = other.Wait() // says that it was killed
	})
	pid := strconv.Itoa(other.Process.Pid)
	stale := pid + "\n" + srv.home.cluster() + "\n1\n5432\n" + srv.socket + "\n\n"
	require.NoError(t, os.WriteFile(filepath.Join(srv.home.cluster(), "postmaster.pid"), []byte(stale), 0o600))
	require.NoError(t, os.MkdirAll(srv.socket, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(srv.socket, socketName+".lock"), []byte(stale), 0o600))

	noted(t, start(t, dir).URL())
	require.NoError(t, other.Process.Signal(syscall.Signal(0)), "the other process was left alone")
}

func TestClusterOfAnotherMajorVersionIsNotTouched(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	srv := start(t, dir)
	require.NoError(t, srv.Stop())
	require.NoError(t, os.WriteFile(filepath.Join(srv.home.cluster(), "PG_VERSION"), []byte("12\n"), 0o600))
	before := listing(t, srv.home.cluster())

	_, err := Start(t.Context(), Options{Dir: dir, CacheDir: dataDir(t)})
	require.ErrorIs(t, err, ErrOtherVersion)
	require.ErrorContains(t, err, "PostgreSQL 12")
	require.Equal(t, before, listing(t, srv.home.cluster()))
}

// listing tells every file of dir with its size and time of change.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		files[path] = strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().String()
		return err
	}))
	return files
}

func TestHalfMadeClusterIsMadeAgain(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, acct, err := settleHome(dir)
	require.NoError(t, err)
	h, err := makeHome(dir, acct)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(h.fresh(), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(h.fresh(), "PG_VERSION"), []byte("15\n"), 0o600))
	note(t, start(t, dir).URL())
}
