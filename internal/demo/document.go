package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"rollcall/ingest"
	"rollcall/internal/simulator"
)

// documentFile is where the document of a source lies, as in any installation: pages and jobs read it there.
func documentFile(dir, id string) string { return filepath.Join(dir, "sources", id+".yaml") }

// address is where an earlier start served its world.
var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// keepDocument writes the document of a feed into the data directory and returns it as it is read there. One that was changed on its
// page stays as it is, but for the address of the world, which is another at each start.
func (d *Demo) keepDocument(ctx context.Context, feed simulator.Feed, base string) (*ingest.Source, error) {
	text, err := document(feed, base, d.Pace)
	if err != nil {
		return nil, err
	}
	file := documentFile(d.Dir, sourceID(feed.ID))
	changed, err := d.Store.Documents(ctx, sourceID(feed.ID), 1)
	if err != nil {
		return nil, err
	}
	if len(changed) > 0 {
		switch found, err := os.ReadFile(file); { //nolint:gosec // the id is the demo's own
		case err == nil:
			text = address.ReplaceAllString(string(found), base)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("read document of the demo: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("write document of the demo: %w", err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil { //nolint:gosec // the id is the demo's own
		return nil, fmt.Errorf("write document of the demo: %w", err)
	}
	return ingest.Load(file)
}

// forgetDocuments deletes the documents of the demo's sources, and their directory where nothing else lies in it.
func forgetDocuments(dir string) error {
	files, err := filepath.Glob(documentFile(dir, prefix+"*"))
	for _, file := range files {
		err = errors.Join(err, os.Remove(file))
	}
	if err != nil {
		return fmt.Errorf("forget the demo's documents: %w", err)
	}
	_ = os.Remove(filepath.Dir(documentFile(dir, ""))) // it is not empty, or was never made
	return nil
}
