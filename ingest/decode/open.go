package decode

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxFiles bounds the members of a zip archive.
const maxFiles = 10_000

// Open unpacks gzip and zip, recognised by their first bytes, and calls each with every file within, or with
// the document itself. packed reports that the file carries a checksum, which is verified when it is read to
// its end: then it is whole. limit bounds the bytes unpacked altogether: a zip bomb ends with ErrTooLarge. An
// error of each is returned as it is.
func Open(name string, data io.ReadSeeker, limit int64, each func(name string, packed bool, r io.Reader) error) error {
	magic := make([]byte, 4)
	n, err := io.ReadFull(data, magic)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if _, err := data.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	left := limit
	switch {
	case bytes.HasPrefix(magic[:n], []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(data)
		if err != nil {
			return fmt.Errorf("unpack %s: %w", name, err)
		}
		return each(strings.TrimSuffix(name, ".gz"), true, &capped{r: z, left: &left})
	case bytes.Equal(magic[:n], []byte("PK\x03\x04")):
		return openZip(name, data, &left, each)
	default:
		return each(name, false, &capped{r: data, left: &left})
	}
}

// openZip reads the files of an archive. Sizes stated in it are not trusted: what is unpacked counts against
// left.
func openZip(name string, data io.ReadSeeker, left *int64, each func(string, bool, io.Reader) error) error {
	size, err := data.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	at, ok := data.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("unpack %s: a zip needs a file", name)
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	if len(z.File) > maxFiles {
		return fmt.Errorf("unpack %s: %w: %d files", name, ErrTooLarge, len(z.File))
	}
	for _, f := range z.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") { // what a Mac adds to every archive
			continue
		}
		r, err := f.Open()
		if err != nil {
			return fmt.Errorf("unpack %s: %w", name, err)
		}
		err = each(f.Name, true, &capped{r: r, left: left})
		_ = r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// capped ends with ErrTooLarge when more than left bytes were read.
type capped struct {
	r io.Reader
	// left is the number of bytes that may still be read, shared by all files of a document.
	left *int64
}

// Read counts what is unpacked against the limit of the whole document.
func (c *capped) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if *c.left -= int64(n); *c.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
