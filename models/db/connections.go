package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// connections are a pool and the GORM handle over it.
type connections struct {
	pool *pgxpool.Pool
	gorm *gorm.DB
}

// connect opens a pool. It asks the database nothing.
func connect(ctx context.Context, cfg *pgxpool.Config, now func() time.Time) (connections, error) {
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return connections{}, fmt.Errorf("open database: %w", err)
	}
	handle, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{
		SkipDefaultTransaction: true, TranslateError: true, QueryFields: true, Logger: logger.Discard, NowFunc: now,
		DisableAutomaticPing: true, // which would not end with ctx; Open reads the counties at once
	})
	if err != nil {
		pool.Close()
		return connections{}, fmt.Errorf("open database: %w", err)
	}
	return connections{pool, handle}, nil
}

// Pool is what statements of pgx run on. Outside models only the job queue uses it, which keeps its
// own tables in the same database.
func (d *DB) Pool() *pgxpool.Pool { return d.plain.pool }

// Gorm is the handle for plain reads and writes of rows, on the same pool. It writes no default
// transaction around a single statement, and reports unique and foreign key violations as errors of
// package gorm.
func (d *DB) Gorm() *gorm.DB { return d.plain.gorm }

// Keyed is the handle for reads of rows by their keys, on a pool of its own. Whatever the keys, such a read walks the
// same index, so its connections plan each statement once. With `= any ($1)` PostgreSQL would plan it anew for every
// call, which takes several times as long as running it when the rows come through views of views.
func (d *DB) Keyed() *gorm.DB { return d.keyed.gorm }

// KeyEntry is the handle for look-ups of API keys. Its pool is its own, so that callers whose lists are slow, and those who
// send invented cookies, keep no key from being checked.
func (d *DB) KeyEntry() *gorm.DB { return d.keyEntry.gorm }

// LinkEntry is the same for sessions, for links that open a page, and for tokens in addresses.
func (d *DB) LinkEntry() *gorm.DB { return d.linkEntry.gorm }

// Use is how the connections of all pools are used.
type Use struct {
	// InUse and Idle are connections now, Max is how many there may be.
	InUse, Idle, Max int32
	// Acquired counts how often a connection was taken from a pool.
	Acquired int64
}

// Use returns the figures of the pools, for metrics and tests.
func (d *DB) Use() Use {
	var u Use
	for _, c := range d.pools() {
		s := c.pool.Stat()
		u.InUse, u.Idle, u.Max, u.Acquired = u.InUse+s.AcquiredConns(), u.Idle+s.IdleConns(), u.Max+s.MaxConns(), u.Acquired+s.AcquireCount()
	}
	return u
}
