package engine

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
)

// Later is the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// UTC is a time in UTC, nil for none.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	in := t.UTC()
	return &in
}

// OrNull is nil for a zero value.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// OrEmpty is the text of a column that may be null.
func OrEmpty[T ~string](v *T) T {
	if v == nil {
		return ""
	}
	return *v
}

// ReasonOf is the reason of a column that may be null.
func ReasonOf(text *string) models.WithheldReason {
	if text == nil {
		return models.Published
	}
	return models.WithheldReason(*text)
}

// DayOf is the day of a column that may be null; nil for none.
func DayOf(d pgtype.Date) *models.Date {
	if !d.Valid {
		return nil
	}
	day := models.DateOf(d.Time)
	return &day
}
