package testdb

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/internal/pg"
)

// dirPrefix begins the name of a test cluster's directory.
const dirPrefix = "rollcall-test-"

// leftOver is the age after which what a killed test run left behind is removed. No test runs that long.
const leftOver = time.Hour

// start uses the server of ROLLCALL_TEST_DATABASE_URL if that is set, and starts one for this process
// otherwise.
func start() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if at := os.Getenv("ROLLCALL_TEST_DATABASE_URL"); at != "" {
		s := newServer(at)
		return s, s.dropLeftOver(ctx)
	}
	removeLeftOver(ctx)
	dir, err := os.MkdirTemp(parentDir(), dirPrefix)
	if err != nil {
		return nil, fmt.Errorf("make the test cluster's directory: %w", err)
	}
	held, err := removeAtExit(dir)
	if err != nil {
		return nil, err
	}
	// As root the database user has to pass through; as a user nobody else can do anything with that.
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // see above
		return nil, fmt.Errorf("open the test cluster's directory: %w", err)
	}
	srv, err := pg.Start(ctx, pg.Options{Dir: dir, BinDir: os.Getenv("ROLLCALL_PG_BIN"), Fast: true})
	if err != nil {
		return nil, fmt.Errorf("start the test cluster: %w", err)
	}
	s := newServer(srv.URL())
	s.held = held
	return s, nil
}

// removeAtExit removes dir once this process has ended, however it ended. A test binary has no hook for that,
// so a shell waits for the end of the pipe that is returned. The kernel stops the server by itself.
func removeAtExit(dir string) (io.Closer, error) {
	const script = `trap "" INT TERM HUP; read -r _
		for _ in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$1" && exit; sleep 0.2; done`
	cmd := exec.Command("/bin/sh", "-c", script, "sh", dir) //nolint:noctx,gosec // outlives every context; dir is ours
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("arrange the test cluster's removal: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("arrange the test cluster's removal: %w", err)
	}
	return pipe, nil
}

// removeLeftOver removes the directories of killed test runs whose shell was killed too. Directories of other
// users cannot be removed and stay.
func removeLeftOver(ctx context.Context) {
	dirs, err := filepath.Glob(filepath.Join(parentDir(), dirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err == nil && time.Since(info.ModTime()) > leftOver && pg.Remove(ctx, dir) == nil {
			_ = os.RemoveAll(dir)
		}
	}
}

// dropLeftOver drops the databases that killed test runs left on a server that outlives them.
func (s *server) dropLeftOver(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return fmt.Errorf("connect to ROLLCALL_TEST_DATABASE_URL: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, prefix)
	if err != nil {
		return fmt.Errorf("list test databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("list test databases: %w", err)
	}
	for _, name := range names {
		made, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "_")
		if at, err := time.Parse(stamp, made); err != nil || time.Since(at) < leftOver {
			continue
		}
		if _, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)"); err != nil {
			return fmt.Errorf("drop the left-over database %s: %w", name, err)
		}
	}
	return nil
}
