// Package alert stores watchers and what became of them: matching in its transaction, hits, events,
// dismissals and how long all of it stays. It writes the deliveries of a match, so it imports package
// delivery.
//
// A transaction that changes records leaves rows in changes (package claim). Package notifier takes them
// through MatchChanges and writes hits, events and deliveries back. The interfaces read and change watchers,
// hits and events of one account. Reads for an account leave out records that are not published
// (docs/decisions/0013-visibility.md).
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

// locked and shared are the locks of reads whose rows nobody else may change until the transaction ends.
// Several transactions may hold the shared one.
var (
	locked = clause.Locking{Strength: "update"}
	shared = clause.Locking{Strength: "share"}
)

// Store reads and writes watchers, hits and events. It is safe for concurrent use.
type Store struct {
	*db.DB
	maxWatchers int
	// eventNews follows new events by account; all followers of a process share one connection.
	eventNews db.Followers[string, struct{}]
}

// New returns a Store that allows an account maxWatchers watchers that are not deleted.
func New(d *db.DB, maxWatchers int) *Store { return &Store{DB: d, maxWatchers: maxWatchers} }

// rows is the GORM handle for one request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// querier is the pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// collect runs a named statement and returns its rows as T, matched by the names of columns.
func collect[T any](ctx context.Context, on querier, statement string, args pgx.NamedArgs) ([]T, error) {
	rows, err := on.Query(ctx, statements.Get(statement), args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}
