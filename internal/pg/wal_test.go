//go:build unix

package pg

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestTheLogIsShortAgainAfterABulkLoad(t *testing.T) {
	t.Parallel()
	srv := start(t, dataDir(t))
	const written = `SELECT (pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / 1048576)::int::text`
	before, err := strconv.Atoi(ask(t, srv.URL(), written))
	require.NoError(t, err)
	load(t, srv.URL(), 400_000)
	after, err := strconv.Atoi(ask(t, srv.URL(), written))
	require.NoError(t, err)
	require.Greater(t, after-before, 300, "MB of log")
	require.Eventually(t, func() bool {
		size, err := walSize(srv.home.wal())
		return err == nil && size < 128*mb
	}, 2*time.Minute, 100*time.Millisecond)
	load(t, srv.URL(), 60_000)
	size, err := walSize(srv.home.wal())
	require.NoError(t, err)
	require.Less(t, size, int64(128*mb), "it does not come back by itself: nothing is recycled")
}

// load writes rows of a kilobyte each, which the server does not compress.
func load(t *testing.T, url string, rows int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	_, err = conn.Exec(t.Context(), `CREATE TABLE IF NOT EXISTS loaded (what text)`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO loaded SELECT repeat(md5(i::text), 30) FROM generate_series(1, $1) i`, rows)
	require.NoError(t, err)
}

func TestABulkLoadIsNotStoppedForCheckpoints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// No server answers there, so a look that tries to make a checkpoint fails.
	w := &walWatch{dir: dir, admin: connectionString(dir, "postgres"), log: slog.New(slog.DiscardHandler)}
	grow := func(size int64) error {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "000000010000000000000001"), nil, 0o600))
		require.NoError(t, os.Truncate(filepath.Join(dir, "000000010000000000000001"), size))
		return w.look(t.Context())
	}
	require.NoError(t, grow(16*mb))
	require.NoError(t, grow(48*mb), "it is short")
	require.NoError(t, grow(200*mb), "a load is under way")
	require.NoError(t, grow(900*mb), "a load is under way")
	for pause := range int64(walQuiet - 1) {
		require.NoError(t, grow((901+pause)*mb), "the load may go on")
	}
	require.NoError(t, grow(1000*mb), "it went on")
	for pause := range int64(walQuiet - 1) {
		require.NoError(t, grow((1001+pause)*mb), "the load may go on")
	}
	require.ErrorContains(t, grow(1016*mb), "make a checkpoint", "the load has passed")
	require.ErrorContains(t, grow(1017*mb), "make a checkpoint", "the next look tries again")
}
