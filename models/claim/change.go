package claim

import (
	"rollcall/models"
	"rollcall/resolve"
)

// Change is what resolving a record anew made of it.
type Change struct {
	Family   models.Family
	ID       string // as GraphQL and /v1 give it
	Versions []resolve.Version
}

// origin is what brings changes: a run of a source, or an operator.
type origin struct {
	run    int64
	source string // empty: that of the record
}
