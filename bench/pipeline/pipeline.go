// Package pipeline measures the ingest and the linking on an empty database (`rollcall bench ingest` and `bench
// links`). It reads files that the package roster invents, through the same runner and linker as the service.
// So a figure covers all that a run does: fetch, archive, decode, map, apply, versions and changes. It knows no
// command.
package pipeline

import (
	"io"

	"rollcall/ingest"
	"rollcall/ingest/linkage"
)

// Bench is one series of measurements on a database of its own. It is not safe for concurrent use.
type Bench struct {
	Runner *ingest.Runner
	Linker *linkage.Linker
	// Dir is for the files that are read.
	Dir string
	// Rows is the size of the first load.
	Rows int
	// Workers is how many counties are read at a time.
	Workers int
	// Progress is for people.
	Progress io.Writer

	figures []Figure
}
