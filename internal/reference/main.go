// Command reference writes docs/sources-reference.md: every key that a source document may have, with its type,
// default, bounds, allowed values, meaning and an example. It reads the Go types that a document is read into,
// their tags, the comments of their fields, and the closed lists of fields and steps. So the page cannot go
// stale.
//
// It is not part of the program: `go generate ./docs` runs it. Its test fails while the page differs, or while
// a key has no sentence or no example. Who adds a key to a document therefore writes its sentence above the
// field in Go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// main writes the page, or lists what has no sentence.
func main() {
	// The defaults fit `go generate ./docs`, which runs in that directory.
	root := flag.String("root", "..", "directory of the module")
	out := flag.String("out", "sources-reference.md", "file to write")
	flag.Parse()
	if err := write(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// write renders the reference and writes it to out. Nothing is written while a key has no sentence.
func write(root, out string) error {
	page, missing, err := render(root)
	if err != nil {
		return err
	}
	// Each missing sentence is an error of its own, one a line.
	if len(missing) > 0 {
		return errors.Join(missing...)
	}
	if err := os.WriteFile(filepath.Clean(out), page, 0o644); err != nil { //nolint:gosec // a page of the repository
		return fmt.Errorf("write the reference: %w", err)
	}
	return nil
}
