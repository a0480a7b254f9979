// Package migrations holds the schema as forward-only SQL files and applies them, with the tables
// of the job queue. It is the only way the schema changes; queries live in package models.
//
// Until the first release there is no data to keep. A file may be rewritten, but then it gets a new number, so that
// Up refuses databases that have the one of before.
package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed *.sql
var files embed.FS

// lockID is the session lock that lets one process migrate while others wait.
const lockID = 0x726f6c6c // "roll"

// ErrUnknownSchema reports a database that another version of rollcall made, whose schema this one cannot bring to its own.
var ErrUnknownSchema = errors.New("the database was made by another version of rollcall, which this one cannot read, and was left as it is: " +
	"use a new database, or `rollcall demo --fresh` if it holds the demo's data")

// Up brings the database at url to the newest schema. Several processes may call it at once. It returns
// ErrUnknownSchema, and changes nothing, if the database has migrations that are not among the embedded ones.
func Up(ctx context.Context, url string) error {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return errors.New("read database URL: not a PostgreSQL connection string (its text is not shown: it may hold a password)")
	}
	cfg.MaxConns = 4
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer pool.Close()
	lock, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer lock.Release()
	if _, err := lock.Exec(ctx, `select pg_advisory_lock($1)`, lockID); err != nil {
		return fmt.Errorf("lock for migration: %w", err)
	}
	defer func() { _, _ = lock.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock($1)`, lockID) }()
	if err := records(ctx, pool); err != nil {
		return err
	}
	return jobs(ctx, pool)
}

// records applies the SQL files of this folder.
func records(ctx context.Context, pool *pgxpool.Pool) error {
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }()
	p, err := goose.NewProvider(goose.DialectPostgres, db, files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if err := known(ctx, pool, p.ListSources()); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	return nil
}

// known returns ErrUnknownSchema if the database has a migration that is none of sources. It reads the table of goose
// itself, because goose would make that table.
func known(ctx context.Context, pool *pgxpool.Pool, sources []*goose.Source) error {
	var exists bool
	if err := pool.QueryRow(ctx, `select to_regclass($1) is not null`, goose.DefaultTablename).Scan(&exists); err != nil {
		return fmt.Errorf("look for applied migrations: %w", err)
	}
	if !exists {
		return nil
	}
	versions := []int64{0} // the row that goose begins its table with
	for _, s := range sources {
		versions = append(versions, s.Version)
	}
	var unknown bool
	err := pool.QueryRow(ctx, `select exists (select from `+goose.DefaultTablename+` where is_applied and version_id <> all ($1))`, versions).Scan(&unknown)
	if err != nil {
		return fmt.Errorf("read applied migrations: %w", err)
	}
	if unknown {
		return ErrUnknownSchema
	}
	return nil
}

// jobs makes the tables of the job queue.
func jobs(ctx context.Context, pool *pgxpool.Pool) error {
	m, err := rivermigrate.New[pgx.Tx](riverpgxv5.New(pool), nil)
	if err != nil {
		return fmt.Errorf("read job migrations: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate job queue: %w", err)
	}
	return nil
}
