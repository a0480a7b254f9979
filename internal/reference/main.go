// Command reference writes docs/sources-reference.md: every key that a source document may have, with its type, default,
// bounds, allowed values, meaning and an example. It reads the Go types that a document is read into, their tags and the
// comments of their fields, and the closed lists of fields and steps, so that the page cannot go stale. It is not part of
// the program: `go generate ./docs` runs it, and its test fails while the page differs or a key has no sentence.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "..", "directory of the module")
	out := flag.String("out", "sources-reference.md", "file to write")
	flag.Parse()
	if err := write(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func write(root, out string) error {
	page, missing, err := render(root)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return errors.Join(missing...)
	}
	if err := os.WriteFile(filepath.Clean(out), page, 0o644); err != nil { //nolint:gosec // a page of the repository
		return fmt.Errorf("write the reference: %w", err)
	}
	return nil
}
