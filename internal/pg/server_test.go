//go:build unix

package pg

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServerIsReachableThroughItsSocketOnly(t *testing.T) {
	t.Parallel()
	srv := start(t, dataDir(t))
	for setting, want := range map[string]string{
		"listen_addresses": "", "server_encoding": "UTF8", "TimeZone": "UTC", "jit": "off", "max_connections": "200",
	} {
		require.Equal(t, want, ask(t, srv.URL(), `SELECT current_setting('`+setting+`')`), setting)
	}
	require.Equal(t, "C.UTF-8", ask(t, srv.URL(), `SELECT datcollate FROM pg_database WHERE datname = current_database()`))
	info, err := os.Stat(srv.socket)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	info, err = os.Stat(srv.home.cluster())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestServerOfRootRunsAsAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root drops to another user")
	}
	srv := start(t, dataDir(t))
	status, err := os.ReadFile("/proc/" + strconv.Itoa(srv.proc.Pid) + "/status")
	require.NoError(t, err)
	require.NotContains(t, string(status), "Uid:\t0\t")
	require.NotContains(t, string(status), "\t0\t0\t0\t0\n")
}

func TestDataOutlivesStopAndStart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	first, err := Start(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	note(t, first.URL())
	require.NoError(t, first.Stop())
	require.NoError(t, first.Stop(), "a second Stop is harmless")
	require.Empty(t, servers(first.home.cluster()))
	require.NoError(t, first.Err(), "a server that was stopped did not end by itself")
	select {
	case <-first.Done():
		t.Fatal("Done is for servers that end by themselves")
	default:
	}

	noted(t, start(t, dir).URL())
}

func TestDataDirectoryWithALongPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), strings.Repeat("county/", 20), strings.Repeat("long-name", 12))
	srv := start(t, dir)
	note(t, srv.URL())
	require.Less(t, len(srv.socket)+1+len(socketName), 100)

	joined, err := Join(t.Context(), dir)
	require.NoError(t, err)
	noted(t, joined)

	require.NoError(t, srv.Stop())
	require.NoDirExists(t, srv.socket)
}

func TestDataDirectoryThatTheDatabaseUserCannotReach(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("an ordinary user reaches what is its own")
	}
	dir := filepath.Join(dataDir(t), "closed")
	require.NoError(t, os.Mkdir(dir, 0o700))
	t.Cleanup(func() { require.NoError(t, Remove(context.WithoutCancel(t.Context()), dir)) })
	srv := start(t, dir)
	note(t, srv.URL())
	at, err := os.Readlink(filepath.Join(dir, "pg"))
	require.NoError(t, err)
	require.False(t, strings.HasPrefix(at, dir))
	require.NoError(t, srv.Stop())

	again := start(t, dir)
	noted(t, again.URL())
	require.NoError(t, again.Stop())

	require.NoError(t, Remove(t.Context(), dir))
	require.NoDirExists(t, at)
	require.NoFileExists(t, filepath.Join(dir, "pg"))
}

func TestHomeThatOthersCouldHavePlantedIsRefused(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	planted := filepath.Join(dir, "pg")
	require.NoError(t, os.Mkdir(planted, 0o700))
	require.NoError(t, os.Chmod(planted, 0o777))
	_, err := Start(t.Context(), Options{Dir: dir})
	require.ErrorContains(t, err, "can be written by other users")
	entries, err := os.ReadDir(planted)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestRemoveStartsOverAndSparesARunningServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	kept := filepath.Join(dir, "secret")
	require.NoError(t, os.WriteFile(kept, nil, 0o600))
	srv := start(t, dir)
	note(t, srv.URL())
	require.ErrorIs(t, Remove(t.Context(), dir), ErrInUse)
	noted(t, srv.URL())
	require.NoError(t, srv.Stop())

	require.NoError(t, Remove(t.Context(), dir))
	require.NoError(t, Remove(t.Context(), dir), "nothing to remove is no error")
	require.FileExists(t, kept)
	require.Equal(t, "true", ask(t, start(t, dir).URL(), `SELECT (to_regclass('note') IS NULL)::text`))
}

func TestStartNamesWhatStoppedTheServer(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), Options{Dir: dataDir(t), Fast: true, Settings: map[string]string{"work_mem": "many"}})
	require.ErrorContains(t, err, `invalid value for parameter "work_mem"`)
}

func TestSettingsFitTheMachine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                           string
		memory                         int64
		shared, wal, work, maintenance string
	}{
		{"half a gigabyte gets the least that is useful", 512 * mb, "128MB", "1GB", "4MB", "64MB"},
		{"a gigabyte gives a quarter", 1024 * mb, "256MB", "1GB", "4MB", "64MB"},
		{"eight gigabytes give a quarter", 8192 * mb, "2048MB", "4GB", "16MB", "512MB"},
		{"a large machine gives four gigabytes", 65536 * mb, "4096MB", "4GB", "16MB", "1024MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := settingsFor(c.memory)
			require.Equal(t, []string{c.shared, c.wal, c.work, c.maintenance},
				[]string{got["shared_buffers"], got["max_wal_size"], got["work_mem"], got["maintenance_work_mem"]})
		})
	}
}
