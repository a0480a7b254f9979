package ingest

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

//go:embed sources
var shipped embed.FS

// Shipped returns the ids of the source documents in the binary, sorted.
func Shipped() []string {
	entries, err := shipped.ReadDir("sources")
	if err != nil {
		return nil
	}
	ids := make([]string, 0, len(entries))
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// Load reads a source document: a shipped one by its id, else a file by its name. The error is
// fs.ErrNotExist where there is neither.
// A shipped id goes before a file of that name in the working directory.
func Load(nameOrFile string) (*Source, error) {
	data, err := documentText(nameOrFile)
	if err != nil {
		return nil, err
	}
	s, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("source document %s:\n%w", nameOrFile, err)
	}
	return s, nil
}

// DocumentText returns the text of a shipped source document by its id, else that of a file. The error is fs.ErrNotExist where
// there is neither.
func DocumentText(nameOrFile string) ([]byte, error) { return documentText(nameOrFile) }

// documentText is that of a source document.
func documentText(nameOrFile string) ([]byte, error) {
	data, err := shipped.ReadFile(path.Join("sources", nameOrFile, "source.yaml"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		data, err = os.ReadFile(nameOrFile) //nolint:gosec // the operator names the file
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no shipped source and no file %q; shipped are %s (%w)", nameOrFile, strings.Join(Shipped(), ", "), fs.ErrNotExist)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read source document: %w", err)
	}
	return data, nil
}
