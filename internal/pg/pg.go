// Package pg runs a PostgreSQL server of its own for a rollcall that was given no database: it finds the binaries (or
// gets them without touching the system), makes a cluster in the data directory, runs the server as a child of this
// process and hands out a connection string over a Unix socket that only its owner and root can reach.
//
// It is for one machine and one owner at a time. It is not a connection pool, it knows nothing of the schema, and it is
// not used at all when the operator names a database by URL.
package pg

import (
	"context"
	"errors"
	"log/slog"
)

// Database is the name of the database that [Start] creates, and Role the superuser that owns it.
const (
	Database = "rollcall"
	Role     = "rollcall"
)

var (
	// ErrInUse is returned by [Start] when a living process owns the server of the data directory.
	ErrInUse = errors.New("the data directory is in use by another rollcall process")
	// ErrNotRunning is returned by [Join] when no process owns the server of the data directory.
	ErrNotRunning = errors.New("no rollcall process runs the database of this data directory")
	// ErrOtherVersion is returned by [Start] when the cluster was made by another major version of PostgreSQL than the
	// binaries at hand. Nothing in the directory has been touched.
	ErrOtherVersion = errors.New("the cluster belongs to another major version of PostgreSQL")
	// ErrNoBinaries is returned by [Start] when PostgreSQL was neither found nor could be fetched.
	ErrNoBinaries = errors.New("no PostgreSQL found")
)

// Options say where the cluster lives and how it is run. Only Dir is required.
type Options struct {
	// Dir is rollcall's data directory; the cluster lives in its folder "pg". When this process is root and the database
	// user cannot reach Dir, "pg" is a symbolic link to a directory derived from Dir's path, under /var/lib/rollcall.
	Dir string
	// BinDir holds postgres and initdb. Empty: the newest installed PostgreSQL of SearchPath, else a fetched one.
	BinDir string
	// SearchPath lists patterns of directories that may hold the binaries, best first. Nil means the usual places of
	// Linux distributions and Homebrew, then PATH; an empty list means that nothing is installed.
	SearchPath []string
	// CacheDir keeps fetched binaries. Empty: the user's cache directory, for root /var/cache/rollcall.
	CacheDir string
	// Logger is told what takes long (making a cluster, fetching binaries). Nil discards.
	Logger *slog.Logger
	// Fast gives up durability for speed and sizes the server for many small clusters on one machine. For tests only.
	Fast bool
	// Settings are server parameters that override the ones chosen for the machine.
	Settings map[string]string
}

func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}

// Open is for commands that need the database of dir whether or not it runs: it joins the running server, or starts one
// that lives until close is called. close is never nil when err is nil, and may be called once more than needed.
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
		// Another process was quicker between Join and Start: join it. Its Start or ctx ends the loop.
		if !errors.Is(err, ErrInUse) {
			return "", nil, err
		}
	}
}
