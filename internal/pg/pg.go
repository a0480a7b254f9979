// Package pg runs a PostgreSQL server of its own for a rollcall that was given no database. It finds the
// programs, or fetches them without touching the system, and makes a cluster in the data directory. It runs the
// server as a child of this process and returns a connection string over a Unix socket that only its owner and
// root can reach.
//
// It is for one machine and one owner at a time. It is not a connection pool, it knows nothing of the schema,
// and it is not used at all when the operator names a database by URL (ROLLCALL_DATABASE_URL).
//
// How a start goes:
//
//   - server.go: Start takes the lock of the directory, stops what an earlier server left, and launches.
//   - home.go, account.go: where the cluster is, and which user of the system the server runs as.
//   - binaries.go, fetch.go and its ways: which PostgreSQL is run.
//   - cluster.go, settings.go: how the cluster is made and configured; wal.go: how its log stays short.
//   - join.go: how other processes of the machine find the running server. Open joins or starts.
//
// internal/service uses Start for the owner and Open for commands. internal/testdb starts one server for all
// tests of a package.
package pg

import (
	"context"
	"errors"
	"log/slog"
)

// What connection strings name.
const (
	// Database is the database that [Start] creates, and Role the superuser that owns it. The socket's
	// directory is what keeps others out: no password is asked for.
	Database = "rollcall"
	Role     = "rollcall"
)

var (
	// ErrInUse is returned by [Start] and [Remove] when a living process owns the server of the data directory.
	ErrInUse = errors.New("the data directory is in use by another rollcall process")
	// ErrNotRunning is returned by [Join] when no process owns the server of the data directory.
	ErrNotRunning = errors.New("no rollcall process runs the database of this data directory")
	// ErrOtherVersion is returned by [Start] when the cluster was made by another major version of PostgreSQL
	// than the programs at hand. Nothing in the directory has been touched.
	ErrOtherVersion = errors.New("the cluster belongs to another major version of PostgreSQL")
	// ErrNoBinaries is returned by [Start] when PostgreSQL was neither found nor could be fetched.
	ErrNoBinaries = errors.New("no PostgreSQL found")
)

// Options say where the cluster is and how it is run. Only Dir is required.
type Options struct {
	// Dir is rollcall's data directory. The cluster is in its folder "pg". If this process is root and the
	// database user cannot reach Dir, "pg" is a symbolic link to a directory below /var/lib or /var/tmp. The
	// name of that directory is derived from the path of Dir.
	Dir string
	// BinDir has the programs postgres and initdb. Empty means the newest installed PostgreSQL of SearchPath,
	// else a fetched one.
	BinDir string
	// SearchPath lists patterns of directories that may hold the binaries, best first. Nil means the usual places of
	// Linux distributions and Homebrew, then PATH; an empty list means that nothing is installed.
	SearchPath []string
	// CacheDir keeps fetched programs. Empty means the user's cache directory, and /var/cache/rollcall for
	// root.
	CacheDir string
	// Logger records what takes long, such as making a cluster. nil discards it.
	Logger *slog.Logger
	// Fast gives up durability for speed and sizes the server for many small clusters on one machine. It is for
	// tests only: a crash of the machine may lose or damage everything.
	Fast bool
	// Settings are server parameters that override those chosen for the machine. They cannot open the server to
	// the network (arguments).
	Settings map[string]string
}

// logger returns the logger, or one that discards everything.
func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}

// Open is for commands that need the database of o.Dir whether or not it runs. It joins the running server, or
// starts one that lives until closeServer is called. closeServer is never nil when err is nil, and does nothing
// for a server that was joined. It may be called several times.
func Open(ctx context.Context, o Options) (url string, closeServer func() error, err error) {
	for {
		url, err = Join(ctx, o.Dir)
		if err == nil {
			return url, func() error { return nil }, nil
		}
		if !errors.Is(err, ErrNotRunning) {
			return "", nil, err
		}
		srv, err := Start(ctx, o)
		if err == nil {
			return srv.URL(), srv.Stop, nil
		}
		// Another process started the server between Join and Start, so it can be joined now. Its Start, or the
		// end of ctx, ends the loop.
		if !errors.Is(err, ErrInUse) {
			return "", nil, err
		}
	}
}
