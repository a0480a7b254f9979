package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// logLimit is the size in bytes above which a start renames the old log.
const logLimit = 8 * mb

// stopWait is how long a fast shutdown, which writes a checkpoint, may take before the server is made to end.
const stopWait = 60 * time.Second

// Server is a running PostgreSQL that this process owns. Its methods are safe for concurrent use.
type Server struct {
	// home has the files that other processes look for, lock among them.
	home   home
	url    string
	socket string
	// fast is Options.Fast: the data are of no value.
	fast   bool
	logger *slog.Logger
	lock   *os.File
	proc   *os.Process

	// exited is closed when the postmaster has ended, after exit is set. done is closed too if it ended by
	// itself.
	exited chan struct{}
	exit   error
	done   chan struct{}
	// stopping is closed by Stop, so that an end that was asked for is not reported as a failure.
	stopping chan struct{}
	// stop is shutdown, run once.
	stop func() error
}

// Start runs the server of o.Dir as a child of this process, and makes the cluster on first use. It returns
// when the database [Database] accepts connections. On Linux the kernel stops the server when this process
// ends, in whatever way.
//
// Errors to tell apart: [ErrInUse], [ErrOtherVersion], [ErrNoBinaries].
func Start(ctx context.Context, o Options) (*Server, error) {
	h, acct, err := settleHome(o.Dir)
	if err != nil {
		return nil, err
	}
	lock, err := h.acquire(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{home: h, fast: o.Fast, logger: o.logger(), lock: lock}
	if err := s.start(ctx, o, acct); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

// settleHome finds or makes the home of dir and chooses the account that its cluster belongs to.
func settleHome(dir string) (home, account, error) {
	h, err := locate(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", account{}, err
	}
	cluster := ""
	if err == nil {
		cluster = h.cluster()
	}
	acct, err := accountFor(cluster)
	if err != nil {
		return "", account{}, err
	}
	h, err = makeHome(dir, acct)
	return h, acct, err
}

// start does the steps of [Start] under the lock. The version is checked before anything is changed, so a
// cluster of another version is left untouched.
func (s *Server) start(ctx context.Context, o Options, acct account) error {
	major, err := s.home.major()
	if err != nil {
		return err
	}
	b, err := findBinaries(ctx, o, acct, major)
	if err != nil {
		return err
	}
	if err := errors.Join(s.home.settle(ctx), s.home.forget()); err != nil {
		return err
	}
	if major == 0 {
		o.logger().InfoContext(ctx, "making the database cluster", "dir", string(s.home), "postgres", b.major)
		if err := s.home.initialise(ctx, b, acct, !o.Fast); err != nil {
			return err
		}
	}
	if s.socket, err = s.home.socketDir(acct); err != nil {
		return err
	}
	if err := s.launch(b, acct, arguments(o, b, s.home.cluster(), s.socket)); err != nil {
		return errors.Join(err, os.RemoveAll(s.socket))
	}
	if err := s.ready(ctx); err != nil {
		return errors.Join(err, s.Stop())
	}
	return nil
}

// launch starts the postmaster and watches it. An orphaned server shuts down in good order, or at once when its
// data are of no value.
func (s *Server) launch(b binaries, acct account, args []string) error {
	if info, err := os.Stat(s.home.log()); err == nil && info.Size() > logLimit {
		if err := os.Rename(s.home.log(), s.home.log()+".old"); err != nil {
			return fmt.Errorf("set the old log aside: %w", err)
		}
	}
	log, err := os.OpenFile(s.home.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the server's log: %w", err)
	}
	cmd := exec.Command(filepath.Join(b.dir, "postgres"), args...) //nolint:gosec,noctx // lives until Stop, not as long as a ctx
	cmd.Dir = "/"
	cmd.Env = b.environment()
	cmd.Stdout, cmd.Stderr = log, log
	orphaned := syscall.SIGINT
	if s.fast {
		orphaned = syscall.SIGQUIT
	}
	detach(cmd, acct, orphaned)

	s.exited, s.done, s.stopping = make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.stop = sync.OnceValue(s.shutdown)
	started := make(chan error)
	go onOwnThread(func() {
		err := cmd.Start()
		_ = log.Close() // the child has its own
		started <- err
		if err == nil {
			s.watch(cmd)
		}
	})
	if err := <-started; err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	s.proc = cmd.Process
	return nil
}

// onOwnThread runs f on a thread that lives until f ends. The kernel's signal of a parent's death watches the
// thread that started a child, and Go ends idle threads.
func onOwnThread(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}

// watch waits for the end of the postmaster. It reports an end that nobody asked for.
func (s *Server) watch(cmd *exec.Cmd) {
	err := cmd.Wait()
	select {
	case <-s.stopping:
	default:
		s.exit = fmt.Errorf("PostgreSQL ended by itself (%w): %s", cause(err), tail(s.home.log()))
		close(s.done)
	}
	close(s.exited)
}

// cause is the reason of an end: a server that exits by itself with status 0 has failed too.
func cause(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// ready waits for the server, makes the database if it is missing, and writes the url file for processes that
// want to join. The file is renamed into place, so that nobody reads half of it.
func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	admin := connectionString(s.socket, "postgres")
	err := poll(ctx, func() (bool, error) { return answers(ctx, admin) == nil, nil })
	if err == nil {
		err = createDatabase(ctx, admin)
	}
	select {
	case <-s.exited:
		return s.exit
	default:
	}
	if err != nil {
		return fmt.Errorf("wait for PostgreSQL: %w", err)
	}
	s.url = connectionString(s.socket, Database)
	go (&walWatch{dir: s.home.wal(), admin: admin, log: s.logger}).run(s.stopping, s.exited) //nolint:gosec,contextcheck // it watches as long as the server runs, not its start
	part := s.home.url() + ".part"
	if err := os.WriteFile(part, []byte(s.url), 0o600); err != nil {
		return fmt.Errorf("publish the server: %w", err)
	}
	if err := os.Rename(part, s.home.url()); err != nil {
		return fmt.Errorf("publish the server: %w", err)
	}
	return nil
}

// createDatabase makes the database if it is missing. It first checks that the installation has the extensions
// that the schema needs, because a migration would fail with a message that names no remedy.
func createDatabase(ctx context.Context, admin string) error {
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var exists bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, Database).Scan(&exists)
	if err != nil || exists {
		return err
	}
	var missing []string
	err = conn.QueryRow(ctx, `SELECT array_agg(want) FROM unnest('{pg_trgm,btree_gin}'::text[]) want
		WHERE want NOT IN (SELECT name FROM pg_available_extensions)`).Scan(&missing)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("this PostgreSQL lacks %s: install its contrib package", strings.Join(missing, " and "))
	}
	_, err = conn.Exec(ctx, `CREATE DATABASE `+Database)
	return err
}

// URL returns the connection string of the database over the Unix socket.
func (s *Server) URL() string { return s.url }

// Done returns a channel that is closed when the server ends without [Server.Stop]. [Server.Err] then has the
// reason.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err returns why the server ended by itself, with the last lines of its log. It is nil before [Server.Done] is
// closed.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.exit
	default:
		return nil
	}
}

// Stop shuts the server down, waits until all its processes have ended, and releases the data directory. Calls
// after the first return the same result.
func (s *Server) Stop() error { return s.stop() }

// shutdown asks for a fast shutdown and, after stopWait, makes the server end.
func (s *Server) shutdown() error {
	close(s.stopping)
	_ = s.proc.Signal(syscall.SIGINT) // "fast shutdown"; it may have ended already
	timer := time.NewTimer(stopWait)
	defer timer.Stop()
	select {
	case <-s.exited:
	case <-timer.C:
	}
	// The server must end even when the context of the process has ended already.
	ctx := context.Background()
	err := errors.Join(s.home.settle(ctx), s.home.forget())
	if s.socket != s.home.run() {
		err = errors.Join(err, os.RemoveAll(s.socket))
	}
	return errors.Join(err, s.lock.Close())
}

// tail returns the last 600 bytes of the server's log.
func tail(file string) string {
	f, err := os.Open(file) //nolint:gosec // our own log
	if err != nil {
		return "no log"
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.Size() > 600 {
		_, _ = f.Seek(-600, io.SeekEnd)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return "no log"
	}
	return strings.TrimSpace(string(text))
}
