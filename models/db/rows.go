package db

import (
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db/sqlfile"
)

// Moment is now in UTC, in the microseconds that PostgreSQL stores. A row that a write returns so
// equals the row that is read later.
func (d *DB) Moment() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Known returns an error that users may see (models.Error) as it is, and wraps any other with what
// was being done. A nil error stays nil.
func Known(what string, err error) error {
	var shown *models.Error
	if err == nil || errors.As(err, &shown) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// One reads the first row that q finds, or returns none when there is no such row. Other errors
// come back unwrapped.
func One[T any](q *gorm.DB, none error) (*T, error) {
	var row T
	err := q.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	return &row, nil
}

// Raw is a named statement with its arguments as a query of GORM, which Scan reads into models or rows.
func Raw(q *gorm.DB, set sqlfile.Set, name string, args pgx.StrictNamedArgs) *gorm.DB {
	sql, values := set.Bind(q.Statement.Context, name, args)
	return q.Raw(sql, values...)
}

// Exec runs a named statement by GORM and returns how many rows it wrote.
func Exec(q *gorm.DB, set sqlfile.Set, name string, args pgx.StrictNamedArgs) (written int64, err error) {
	sql, values := set.Bind(q.Statement.Context, name, args)
	done := q.Exec(sql, values...)
	return done.RowsAffected, done.Error
}

// ExpireBatch is how many raw documents or rows are deleted in one statement, so that none locks long.
const ExpireBatch = 500

// ByID sorts records into the order of ids. Ids without a record are left out.
func ByID[T any](records []*T, ids []string, id func(*T) string) []*T {
	at := make(map[string]*T, len(records))
	for _, r := range records {
		at[id(r)] = r
	}
	out := make([]*T, 0, len(records))
	for _, k := range ids {
		if r := at[k]; r != nil {
			out = append(out, r)
		}
	}
	return out
}
