// Package link reads what linking compares, writes the links that it finds, and stores what operators decided
// about them.
//
// A link says that a booking, or a court case, and a corrections record are of one person, or that a case
// belongs to a booking. Package ingest runs the linking after snapshots: BeginLinkRun says what is due, Run
// reads it, and Save and SaveCourtLinks write. Pinned links come from operators and from takeovers, and
// matching does not change them. Only published records are linked, so that a link never leads to a withheld
// one.
//
// It is not for comparing people, which package match does, nor for showing links, which package record does.
package link

import (
	"context"
	"embed"
	"errors"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are those that GORM does not write: set-based ones, and what a run reads of thousands of records at once.
var statements = sqlfile.Load(files)

// Store reads and writes links between records. It is safe for concurrent use.
type Store struct{ *db.DB }

// New returns a Store over d.
func New(d *db.DB) *Store { return &Store{DB: d} }

// rows is the GORM handle for one request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// maybe reads the first row that q finds into row; found is false when there is none.
func maybe(q *gorm.DB, row any) (found bool, err error) {
	err = q.Take(row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return false, nil
	}
	return err == nil, err
}

// querier is the pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// keys reads the keys that a named statement finds.
func keys(ctx context.Context, on querier, name string, args pgx.NamedArgs) ([]int64, error) {
	rows, err := on.Query(ctx, statements.Get(name), args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// all reads the rows that a named statement finds; its columns have the names of T's fields.
func all[T any](ctx context.Context, on querier, name string, args pgx.NamedArgs) ([]T, error) {
	rows, err := on.Query(ctx, statements.Get(name), args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}
