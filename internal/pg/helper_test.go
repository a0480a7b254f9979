//go:build unix

package pg

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// ownerDir tells the test binary to be the process that owns a server, so that a test can kill it.
const ownerDir = "ROLLCALL_TEST_OWNER_OF"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerDir); dir != "" {
		own(dir)
		return
	}
	os.Exit(m.Run())
}

// own starts the server of dir, writes its url to standard output and stops it when standard input ends.
func own(dir string) {
	srv, err := Start(context.Background(), Options{Dir: dir})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, "error:", err)
		return
	}
	_, _ = fmt.Fprintln(os.Stdout, srv.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := srv.Stop(); err != nil {
		_, _ = fmt.Fprintln(os.Stdout, "error:", err)
	}
}

// ownerProcess is another process that owns the server of a directory.
type ownerProcess struct {
	url string
	cmd *exec.Cmd
	in  io.WriteCloser
}

func startOwner(t *testing.T, dir string) *ownerProcess {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	p := &ownerProcess{cmd: exec.CommandContext(context.Background(), program)}
	p.cmd.Env = append(os.Environ(), ownerDir+"="+dir)
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		_ = p.in.Close()
		_ = p.cmd.Wait() // killed by some tests
	})
	p.url, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	p.url = strings.TrimSpace(p.url)
	require.True(t, strings.HasPrefix(p.url, "postgres://"), p.url)
	return p
}

// kill ends the owner as kill -9 does.
func (p *ownerProcess) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait() // says that it was killed
}

// dataDir is a new directory that every user can reach; those of testing are closed to others.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o711))
	require.NoError(t, os.Chmod(dir, 0o755))
	// A killed server leaves its socket, which lies elsewhere when the path is long. No cluster at all is fine too.
	t.Cleanup(func() { _ = Remove(context.WithoutCancel(t.Context()), dir) })
	return dir
}

// start runs the server of dir until the test ends.
func start(t *testing.T, dir string) *Server {
	t.Helper()
	srv, err := Start(t.Context(), Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, srv.Stop()) })
	return srv
}

// ask returns the one text that a query answers.
func ask(t *testing.T, url, query string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	var answer string
	require.NoError(t, conn.QueryRow(t.Context(), query).Scan(&answer))
	return answer
}

// note writes a row that must be found again by noted.
func note(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	_, err = conn.Exec(t.Context(), `CREATE TABLE note AS SELECT 'kept' AS what`)
	require.NoError(t, err)
}

func noted(t *testing.T, url string) {
	t.Helper()
	require.Equal(t, "kept", ask(t, url, `SELECT what FROM note`))
}

// postmaster is the process id in the cluster's pid file.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	h, err := locate(dir)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(h.cluster(), "postmaster.pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	require.NoError(t, err)
	return pid
}

func killHard(t *testing.T, pid int) {
	t.Helper()
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
}
