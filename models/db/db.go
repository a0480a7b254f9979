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
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"rollcall/models"
	"rollcall/models/db/column"
)

// DB is an open database. It is safe for concurrent use; UseJobs is called before that begins.
type DB struct {
	pool     *pgxpool.Pool
	gorm     *gorm.DB
	counties *models.Counties
	// cursorKey is derived from Options.Secret. Another secret makes every cursor invalid.
	cursorKey []byte
	now       func() time.Time
	feed      feed
	// jobs is nil in a process without a job queue (UseJobs).
	jobs JobQueue
}

// Options are the settings of a DB. The zero value suits a command that reads a little.
type Options struct {
	// MaxConns is the size of the pool, 8 if 0. Connections that listen for notifications are not
	// of the pool and come on top.
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
		o.MaxConns = 8
	}
	if o.StatementTimeout == 0 {
		o.StatementTimeout = 15 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	cfg.MaxConns = o.MaxConns
	cfg.ConnConfig.Tracer = o.Tracer
	rt := cfg.ConnConfig.RuntimeParams
	rt["statement_timeout"] = strconv.FormatInt(o.StatementTimeout.Milliseconds(), 10)
	rt["timezone"] = "UTC"
	rt["application_name"] = "rollcall"
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	handle, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{
		SkipDefaultTransaction: true, TranslateError: true, QueryFields: true, Logger: logger.Discard, NowFunc: o.Now,
		DisableAutomaticPing: true, // which would not end with ctx; the counties are read at once
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	counties, err := loadCounties(ctx, handle)
	if err != nil {
		pool.Close()
		return nil, err
	}
	// The counties themselves need none of the column types, which all other models do.
	column.Register(counties)
	key := sha256.Sum256(append([]byte("rollcall cursor\x00"), o.Secret...))
	return &DB{pool: pool, gorm: handle, counties: counties, cursorKey: key[:], now: o.Now}, nil
}

// Close waits until the connections in use are returned and closes the pool.
func (d *DB) Close() { d.pool.Close() }

// Counties returns the fixed set of counties of Georgia. It is shared and never changes.
func (d *DB) Counties() *models.Counties { return d.counties }

// Now returns the time by the clock that the database was opened with.
func (d *DB) Now() time.Time { return d.now() }

// Ping returns an error unless the database answers. It is what a readiness check calls.
func (d *DB) Ping(ctx context.Context) error { return d.pool.Ping(ctx) }

// Pool is what statements of pgx run on. Outside models only the job queue uses it, which keeps its
// own tables in the same database.
func (d *DB) Pool() *pgxpool.Pool { return d.pool }

// Gorm is the handle for plain reads and writes of rows, on the same pool. It writes no default
// transaction around a single statement, and reports unique and foreign key violations as errors of
// package gorm.
func (d *DB) Gorm() *gorm.DB { return d.gorm }

// Stat returns the figures of the pool, for metrics.
func (d *DB) Stat() *pgxpool.Stat { return d.pool.Stat() }
