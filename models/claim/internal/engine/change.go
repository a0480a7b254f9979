package engine

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

// Origin is what brings changes: a run of a source, or an operator.
type Origin struct {
	Run    int64
	Source string // empty: that of the record
}
