package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"rollcall/bench/labelled"
)

// write writes the files of `rollcall match standing`. No watcher or booking has a county.
func write(dir string, watchers int, people *labelled.Standing) error {
	for name, entries := range map[string][]labelled.Entry{"watchers": people.Watchers, "bookings": people.Bookings} {
		var text bytes.Buffer
		for _, e := range entries {
			fmt.Fprintf(&text, "%s\t%s\t\n", e.ID, e.Name)
		}
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.tsv", name, watchers))
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}
