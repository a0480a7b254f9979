// Package db is the database that all packages below models share: the pool and the GORM handle, transactions,
// generations and the notifications that announce them, cursors, conditions of lists, values that are kept until their
// records change, and the SQL fragments that more than one of these packages needs.
//
// It is not for the subjects themselves: it reads no record, source, watcher or account, and imports no other package
// below models.
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

// DB is an open database. Safe for concurrent use.
type DB struct {
	pool      *pgxpool.Pool
	gorm      *gorm.DB
	counties  *models.Counties
	cursorKey []byte
	now       func() time.Time
	feed      feed
	jobs      JobQueue // nil: none
}

// Options of a DB; the zero value is fine for a command that reads a little.
type Options struct {
	MaxConns         int32            // connections of the pool, default 8
	StatementTimeout time.Duration    // of every statement outside InTx, default 15 s
	Secret           []byte           // key of cursors; the same on all replicas
	Now              func() time.Time // clock, default time.Now
	Tracer           pgx.QueryTracer  // sees every statement; nil: none
}

// Open connects to the migrated database at url and reads what never changes.
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
	counties, err := loadCounties(ctx, pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	column.Register(counties)
	handle, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{
		SkipDefaultTransaction: true, TranslateError: true, QueryFields: true, Logger: logger.Discard, NowFunc: o.Now,
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	key := sha256.Sum256(append([]byte("rollcall cursor\x00"), o.Secret...))
	return &DB{pool: pool, gorm: handle, counties: counties, cursorKey: key[:], now: o.Now}, nil
}

// Close waits for connections in use and closes the pool.
func (d *DB) Close() { d.pool.Close() }

// Counties is the fixed set of counties.
func (d *DB) Counties() *models.Counties { return d.counties }

// Now is the database's clock.
func (d *DB) Now() time.Time { return d.now() }

// Ping reports whether the database answers.
func (d *DB) Ping(ctx context.Context) error { return d.pool.Ping(ctx) }

// Pool is what statements run on. Outside models only the job queue uses it, which keeps its own tables in the same
// database.
func (d *DB) Pool() *pgxpool.Pool { return d.pool }

// Gorm is the handle for plain reads and writes of rows, on the same pool.
func (d *DB) Gorm() *gorm.DB { return d.gorm }

// Stat gives the pool's figures, for metrics.
func (d *DB) Stat() *pgxpool.Stat { return d.pool.Stat() }
