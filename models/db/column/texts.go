package column

import "database/sql/driver"

// Texts is a text[] argument of a condition: `id = any(?)`. GORM spells any other slice out, one placeholder an element, so
// that each length is a statement of its own that PostgreSQL parses and plans.
type Texts []string

// Value returns the array as pgx takes it. A nil list is an empty one, which no id is in.
func (t Texts) Value() (driver.Value, error) { return append([]string{}, t...), nil }
