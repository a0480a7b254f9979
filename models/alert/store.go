// Package alert keeps watchers and what they were told: matching in its transaction, hits, events, dismissals and how long
// all of it stays. It writes the deliveries of a match, so it imports package delivery.
//
// It is not for deciding whether a watcher matches, which package notifier does, nor for sending.
package alert

import (
	"context"
	"embed"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those that GORM does not write: the outbox, writes of many rows, and what expires.
var statements = sqlfile.Load(files)

// locked and shared are reads whose rows nobody else changes until the transaction ends; several may share.
var (
	locked = clause.Locking{Strength: "update"}
	shared = clause.Locking{Strength: "share"}
)

// Store reads and writes watchers, hits and events.
type Store struct {
	*db.DB
	maxWatchers int
	eventNews   db.Followers[string, struct{}] // by account
}

// New makes a Store that allows an account maxWatchers active watchers.
func New(d *db.DB, maxWatchers int) *Store { return &Store{DB: d, maxWatchers: maxWatchers} }

// rows is the GORM handle of a request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// querier is the pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// collect runs a named statement and returns its rows.
func collect[T any](ctx context.Context, on querier, statement string, args pgx.NamedArgs) ([]T, error) {
	rows, err := on.Query(ctx, statements.Get(statement), args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}
