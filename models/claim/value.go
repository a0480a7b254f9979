package claim

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
)

// later is the later of two instants.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// utc is a time in UTC, nil for none.
func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	in := t.UTC()
	return &in
}

// orNull is nil for a zero value.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// orEmpty is the text of a column that may be null.
func orEmpty[T ~string](v *T) T {
	if v == nil {
		return ""
	}
	return *v
}

// reasonOf is the reason of a column that may be null.
func reasonOf(text *string) models.WithheldReason {
	if text == nil {
		return models.Published
	}
	return models.WithheldReason(*text)
}

// dayOf is the day of a column that may be null; nil for none.
func dayOf(d pgtype.Date) *models.Date {
	if !d.Valid {
		return nil
	}
	day := models.DateOf(d.Time)
	return &day
}
