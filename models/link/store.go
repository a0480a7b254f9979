// Package link reads what linking compares, writes the links that it finds, and keeps what operators decided of them.
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

// Store reads and writes links between records.
type Store struct{ *db.DB }

// New makes a Store.
func New(d *db.DB) *Store { return &Store{DB: d} }

// rows is the GORM handle of a request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// maybe reads the first row that q finds into row; found is false when there is none.
func maybe(q *gorm.DB, row any) (found bool, err error) {
	err = q.Take(row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return false, nil
	}
	return err == nil, err
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// keys reads the keys that a statement finds.
func keys(ctx context.Context, on querier, name string, args pgx.NamedArgs) ([]int64, error) {
	rows, err := on.Query(ctx, statements.Get(name), args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// all reads the rows that a statement finds; its columns are called as the fields of T.
func all[T any](ctx context.Context, on querier, name string, args pgx.NamedArgs) ([]T, error) {
	rows, err := on.Query(ctx, statements.Get(name), args)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}
