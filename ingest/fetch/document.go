package fetch

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"time"
)

// Document is one document of a source as it was received, in a file: documents may be larger than memory.
type Document struct {
	// Name is for people and reports.
	Name string
	// Path is where the file is, below the directory of the run.
	Path string
	// At is the instant that it speaks of.
	At time.Time
}

// Open opens the document. The caller closes it.
func (d Document) Open() (*os.File, error) {
	f, err := os.Open(d.Path)
	if err != nil {
		return nil, fmt.Errorf("open document: %w", err)
	}
	return f, nil
}

// Sum returns the SHA-256 of the document and its size in bytes.
func (d Document) Sum() (sum []byte, size int64, err error) {
	f, err := d.Open()
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", d.Name, err)
	}
	return h.Sum(nil), size, nil
}
