// Package cell writes single values into the tables and sentences that commands print for operators. It is not for
// answers of the interfaces, whose times and missing values follow their contracts.
package cell

import "time"

// none stands for a value that there is not, so that the columns of a table stay in their places.
const none = "-"

// Time returns an instant in UTC, to the minute: `2026-03-08 14:00 UTC`. It is `-` for nil.
func Time(t *time.Time) string {
	if t == nil {
		return none
	}
	return t.UTC().Format("2006-01-02 15:04 MST")
}

// Second is Time to the second, for what is tried again within one.
func Second(t *time.Time) string {
	if t == nil {
		return none
	}
	return t.UTC().Format("2006-01-02 15:04:05 MST")
}

// Text returns a text. It is `-` for nil.
func Text(s *string) string {
	if s == nil {
		return none
	}
	return *s
}

// UTC returns an instant in UTC, for JSON. It keeps nil.
func UTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}
