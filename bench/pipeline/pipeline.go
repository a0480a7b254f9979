// Package pipeline measures the ingest and the linking on an empty database. It reads rosters of the package roster and
// knows no command.
package pipeline

import (
	"io"

	"rollcall/ingest"
)

// Bench is one measurement on a database of its own.
type Bench struct {
	Runner   *ingest.Runner
	Linker   *ingest.Linker
	Dir      string    // for the files that are read
	Rows     int       // of the first load
	Workers  int       // counties that are read at a time
	Progress io.Writer // for people

	figures []Figure
}
