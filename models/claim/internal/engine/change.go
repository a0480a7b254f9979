package engine

import (
	"rollcall/models"
	"rollcall/resolve"
)

// Change is what resolving a record anew made of it, without a snapshot.
type Change struct {
	Family models.Family // of the record
	// ID is the public id, of a court case the number.
	ID string
	// Versions are the published facts that became others. It may be empty: facts without a history changed.
	Versions []resolve.Version
}

// Origin is what brings changes. The zero value is an operator's decision.
type Origin struct {
	// Run is the run of the source.
	Run int64
	// Source is the source that changes are ascribed to; empty: the source of each record itself.
	Source string
}
