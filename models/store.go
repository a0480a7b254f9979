package models

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
)

// Store is the door to the database: every query is a method of it. Safe for concurrent use.
type Store struct {
	pool      *pgxpool.Pool
	db        *gorm.DB
	counties  *Counties
	cursorKey []byte
	now       func() time.Time
	index     map[Family]ListIndex
	fresh     freshnessCache
	feed      feed
	eventNews eventNews
	kept      memories

	maxWatchers int
	jobs        JobQueue // nil: none
}

// Options of a Store; the zero value is fine for a command that reads a little.
type Options struct {
	MaxConns         int32            // connections of the pool, default 8
	StatementTimeout time.Duration    // of every statement outside InTx, default 15 s
	Secret           []byte           // key of cursors; the same on all replicas
	Now              func() time.Time // clock, default time.Now
	Tracer           pgx.QueryTracer  // sees every statement; nil: none
	MaxWatchers      int              // active watchers of an account, default DefaultMaxWatchers
	KeepRecords      int              // bytes of records kept until they change (View); 0: each read asks the database
}

// Open connects to the migrated database at url and reads what never changes.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
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
	if o.MaxWatchers == 0 {
		o.MaxWatchers = DefaultMaxWatchers
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
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(pool)}), &gorm.Config{
		SkipDefaultTransaction: true, TranslateError: true, Logger: logger.Discard, NowFunc: o.Now,
	})
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	key := sha256.Sum256(append([]byte("rollcall cursor\x00"), o.Secret...))
	s := &Store{pool: pool, db: db, counties: counties, cursorKey: key[:], now: o.Now, index: map[Family]ListIndex{}, maxWatchers: o.MaxWatchers}
	s.kept = newMemories(o.KeepRecords, s.View)
	return s, nil
}

// Close waits for connections in use and closes the pool.
func (s *Store) Close() { s.pool.Close() }

// Counties is the fixed set of counties.
func (s *Store) Counties() *Counties { return s.counties }

// Now is the store's clock.
func (s *Store) Now() time.Time { return s.now() }

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.pool.Ping(ctx) }

// Pool is for the job queue, which keeps its own tables in the same database. Queries on ours are
// methods of Store.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// Stat gives the pool's figures, for metrics.
func (s *Store) Stat() *pgxpool.Stat { return s.pool.Stat() }

// InTx runs fn in one transaction without the statement time-out: all of it is kept, or none.
func (s *Store) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local statement_timeout = 0`); err != nil {
			return fmt.Errorf("lift statement time-out: %w", err)
		}
		return fn(tx)
	})
}

// nextGeneration locks a family for the rest of tx and gives the number that its changed rows
// carry. Writers of one family therefore commit in the order of their numbers.
func nextGeneration(ctx context.Context, tx pgx.Tx, family Family) (int64, error) {
	var gen int64
	err := tx.QueryRow(ctx, `update generations set gen = gen + 1 where family = $1 returning gen`, family).Scan(&gen)
	if err != nil {
		return 0, fmt.Errorf("take generation of %s: %w", family, err)
	}
	return gen, nil
}
