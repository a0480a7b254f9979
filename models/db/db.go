// Package db is the database that all packages below models share: the pool and the GORM handle,
// transactions, generations and the notifications that announce them, cursors, name conditions,
// values that are cached until their records change, and the SQL that more than one of these
// packages needs.
//
// A Store of each package embeds a *DB. Ordinary reads and writes of rows go through GORM,
// set-based work through pgx; both run on one pool. Every committed change of a family of records
// raises the family's generation and announces it by NOTIFY, which ends what is cached (View,
// Memory).
//
// It is not for the subjects themselves: it reads no record, source, watcher or account, and
// imports no other package below models.
package db

import (
	"context"
	"crypto/sha256"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rollcall/models"
	"rollcall/models/db/column"
)

// DB is an open database. It is safe for concurrent use; UseJobs is called before that begins.
type DB struct {
	// plain is for all statements but reads of rows by their keys, which have keyed.
	plain, keyed connections
	counties     *models.Counties
	// cursorKey is derived from Options.Secret. Another secret makes every cursor invalid.
	cursorKey []byte
	now       func() time.Time
	feed      feed
	// jobs is nil in a process without a job queue (UseJobs).
	jobs JobQueue
}

// Options are the settings of a DB. The zero value suits a command that reads a little.
type Options struct {
	// MaxConns is the size of both pools together, 10 if 0: a third of it is for Keyed. Connections that listen for
	// notifications are of neither and come on top.
	MaxConns int32
	// StatementTimeout ends every statement outside InTx and Joint; 15 s if 0.
	StatementTimeout time.Duration
	// Secret is what the key of cursors is derived from. It must be the same on all replicas.
	Secret []byte
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Tracer sees every statement, for metrics and tests; nil if nothing does.
	Tracer pgx.QueryTracer
}

// Open connects to the migrated database at url and reads the counties. The text of a url that
// cannot be parsed is left out of the error, because it may hold a password. Open registers the
// column types of package column, which GORM keeps once a process.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errors.New("read database URL: not a PostgreSQL connection string (its text is not shown: it may hold a password)")
	}
	if o.MaxConns == 0 {
		o.MaxConns = 10
	}
	if o.StatementTimeout == 0 {
		o.StatementTimeout = 15 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	byKey := max(1, o.MaxConns/3)
	cfg.MaxConns = max(1, o.MaxConns-byKey)
	cfg.ConnConfig.Tracer = o.Tracer
	rt := cfg.ConnConfig.RuntimeParams
	rt["statement_timeout"] = strconv.FormatInt(o.StatementTimeout.Milliseconds(), 10)
	rt["timezone"] = "UTC"
	rt["application_name"] = "rollcall"
	d := &DB{now: o.Now}
	if d.plain, err = connect(ctx, cfg, o.Now); err != nil {
		return nil, err
	}
	cfg = cfg.Copy()
	cfg.MaxConns = byKey
	cfg.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	if d.keyed, err = connect(ctx, cfg, o.Now); err != nil {
		d.plain.pool.Close()
		return nil, err
	}
	if d.counties, err = loadCounties(ctx, d.Gorm()); err != nil {
		d.Close()
		return nil, err
	}
	// The counties themselves need none of the column types, which all other models do.
	column.Register(d.counties)
	key := sha256.Sum256(append([]byte("rollcall cursor\x00"), o.Secret...))
	d.cursorKey = key[:]
	return d, nil
}

// Close waits until the connections in use are returned and closes the pools.
func (d *DB) Close() {
	d.plain.pool.Close()
	d.keyed.pool.Close()
}

// Counties returns the fixed set of counties of Georgia. It is shared and never changes.
func (d *DB) Counties() *models.Counties { return d.counties }

// Now returns the time by the clock that the database was opened with.
func (d *DB) Now() time.Time { return d.now() }

// Ping returns an error unless the database answers on both pools. It is what a readiness check calls.
func (d *DB) Ping(ctx context.Context) error {
	if err := d.plain.pool.Ping(ctx); err != nil {
		return err
	}
	return d.keyed.pool.Ping(ctx)
}
