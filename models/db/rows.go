package db

import (
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// Moment is now as PostgreSQL stores it, so that a row that is returned is the row that is read later.
func (d *DB) Moment() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Known passes on an error that users may see, and wraps any other with what was being done.
func Known(what string, err error) error {
	var shown *models.Error
	if err == nil || errors.As(err, &shown) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// One reads the first row that q finds, or returns none when there is no such row.
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

// Year converts a column of a year of birth.
func Year(y *int16) *int {
	if y == nil {
		return nil
	}
	n := int(*y)
	return &n
}

// ExpireBatch is how many raw documents or rows are deleted in one statement, so that none locks long.
const ExpireBatch = 500

// ByID sorts records by the place of their id in ids.
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
