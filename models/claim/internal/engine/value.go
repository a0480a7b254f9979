package engine

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
)

// Later returns the later of two instants.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// UTC returns a time of a column that may be null in UTC; nil stays nil.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	in := t.UTC()
	return &in
}

// OrNull returns nil for a zero value, which becomes null in a column, else a pointer to it.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// OrEmpty returns the text of a column that may be null; null is empty.
func OrEmpty[T ~string](v *T) T {
	if v == nil {
		return ""
	}
	return *v
}

// ReasonOf returns the reason of a column that may be null; null is published.
func ReasonOf(text *string) models.WithheldReason {
	if text == nil {
		return models.Published
	}
	return models.WithheldReason(*text)
}

// DayOf returns the day of a column that may be null; nil for none.
func DayOf(d pgtype.Date) *models.Date {
	if !d.Valid {
		return nil
	}
	day := models.DateOf(d.Time)
	return &day
}
