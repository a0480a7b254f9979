package ingest

import (
	"fmt"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// owners are whom the keys of a sample belong to: its author learns of a key that several people share before an ingest
// quarantines all but one of them.
type owners struct {
	field string // of the source document, which makes the key
	first map[string]owner
}

type owner struct {
	row    int64
	person snapshot.Identity
}

// see gives a sentence for a row whose key another person's row has already, else nothing.
func (o owners) see(row int64, key string, person snapshot.Identity) string {
	known, twice := o.first[key]
	if !twice {
		o.first[key] = owner{row, person}
		return ""
	}
	if resolve.Same(known.person, person) {
		return ""
	}
	return fmt.Sprintf("%s: rows %d and %d have the key %q, and tell of different people", o.field, known.row, row, key)
}
