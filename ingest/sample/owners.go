package sample

import (
	"fmt"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Owners are whom the keys of a sample belong to: its author learns of a key that several people share before an ingest
// quarantines all but one of them.
type Owners struct {
	field string // of the source document, which makes the key
	first map[string]owner
}

// OwnersOf returns nobody yet, for the keys that a field of the source document makes.
func OwnersOf(field string) Owners { return Owners{field, map[string]owner{}} }

type owner struct {
	row    int64
	person snapshot.Identity
}

// See returns a sentence for a row whose key another person's row has already, else an empty one.
func (o Owners) See(row int64, key string, person snapshot.Identity) string {
	known, twice := o.first[key]
	if !twice {
		o.first[key] = owner{row, person}
		return ""
	}
	if resolve.Same(known.person, person) {
		return ""
	}
	return fmt.Sprintf("%s: rows %d and %d have the key %q, and name different people", o.field, known.row, row, key)
}
