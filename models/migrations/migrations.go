// Package migrations holds the schema as forward-only SQL files and applies them, with the tables
// of the job queue. It is the only way the schema changes. Every command that opens a database
// calls Up first; queries live in the packages below models.
//
// Until the first release there is no data to keep. A file may be rewritten: Up refuses a database
// that was made by other files than the embedded ones, even under the same numbers.
package migrations

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
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

// ErrUnknownSchema is the error for a database that another version of rollcall made, whose schema
// this one cannot bring to its own. Commands show its text.
var ErrUnknownSchema = errors.New("the database was made by another version of rollcall, which this one cannot read, and was left as it is: " +
	"use a new database, or `rollcall demo --fresh` if it holds the demo's data")

// Up brings the database at url to the newest schema. Several processes may call it at once; all
// but one wait. It returns ErrUnknownSchema, and changes nothing, if the database has migrations
// that are not among the embedded ones or were another text when they were applied.
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

// records applies the SQL files of this folder, each in a transaction of its own.
func records(ctx context.Context, pool *pgxpool.Pool) error {
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }()
	p, err := goose.NewProvider(goose.DialectPostgres, db, files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	own, err := digestsOf(p.ListSources())
	if err != nil {
		return err
	}
	if err := known(ctx, pool, own); err != nil {
		return err
	}
	if _, err := p.GetDBVersion(ctx); err != nil { // makes the table that the digests are kept with
		return fmt.Errorf("migrate database: %w", err)
	}
	if err := keepDigests(ctx, pool, own); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	return nil
}

// digests are short fingerprints of migration files by version.
type digests map[int64]string

// digestsOf returns the digests of the embedded files.
func digestsOf(sources []*goose.Source) (digests, error) {
	out := digests{}
	for _, s := range sources {
		text, err := files.ReadFile(s.Path)
		if err != nil {
			return nil, fmt.Errorf("read migrations: %w", err)
		}
		sum := sha256.Sum256(text)
		out[s.Version] = hex.EncodeToString(sum[:8])
	}
	return out, nil
}

// known returns ErrUnknownSchema if the database has a migration that own lacks or has otherwise.
// It reads the table of goose by itself, because goose would create that table.
func known(ctx context.Context, pool *pgxpool.Pool, own digests) error {
	var comment *string
	var exists bool
	err := pool.QueryRow(ctx, `select to_regclass($1) is not null, obj_description(to_regclass($1), 'pg_class')`, goose.DefaultTablename).Scan(&exists, &comment)
	if err != nil {
		return fmt.Errorf("look for applied migrations: %w", err)
	}
	if !exists {
		return nil
	}
	made := digests{}
	if comment != nil {
		if err := json.Unmarshal([]byte(*comment), &made); err != nil {
			return ErrUnknownSchema
		}
	}
	rows, err := pool.Query(ctx, `select version_id from `+goose.DefaultTablename+` where is_applied and version_id > 0`) // goose begins its table with 0
	if err != nil {
		return fmt.Errorf("read applied migrations: %w", err)
	}
	applied, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return fmt.Errorf("read applied migrations: %w", err)
	}
	for _, version := range applied {
		if digest, ok := own[version]; !ok || made[version] != digest {
			return ErrUnknownSchema
		}
	}
	return nil
}

// keepDigests stores the digests of the migrations that this process is about to apply. A process
// that ends between two files leaves the digests of all, so the next one goes on. They are stored
// in a comment on goose's table: each file commits by itself, and nothing but a start reads them.
func keepDigests(ctx context.Context, pool *pgxpool.Pool, own digests) error {
	text, err := json.Marshal(own)
	if err != nil {
		return fmt.Errorf("keep digests of migrations: %w", err)
	}
	if _, err := pool.Exec(ctx, `comment on table `+goose.DefaultTablename+` is '`+string(text)+`'`); err != nil {
		return fmt.Errorf("keep digests of migrations: %w", err)
	}
	return nil
}

// jobs creates the tables of the job queue, by River's own migrations.
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
