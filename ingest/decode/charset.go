package decode

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// utf8Mark is what some programs write at the beginning of UTF-8.
const utf8Mark = "\ufeff"

// oneByte returns the character set of the document if each of its characters is one byte, else nil. Latin-1
// is read as windows-1252, as browsers do.
func (s *Spec) oneByte() *charmap.Charmap {
	switch strings.ToLower(s.Charset) {
	case "", "utf-8", "utf8":
		return nil
	case "iso-8859-1", "latin1":
		return charmap.Windows1252
	}
	enc, err := htmlindex.Get(s.Charset)
	if err != nil {
		return nil
	}
	set, _ := enc.(*charmap.Charmap)
	return set
}

// misread returns why a text was not read in its own character set; empty if nothing speaks against it. A
// wrong set makes wrong names, and in columns at fixed places wrong facts.
func (s *Spec) misread(text []byte, set *charmap.Charmap) string {
	switch {
	case isASCII(text):
		return ""
	case set == nil && s.Format == Fixed && !utf8.Valid(text):
		return "is not UTF-8: decode.charset is another"
	case set == nil:
		return "" // what is no UTF-8 in a field rejects its row
	}
	raw, err := set.NewEncoder().Bytes(text)
	if err == nil && utf8.Valid(raw) { // no text of one-byte characters is that by chance
		return "is UTF-8, though decode.charset says " + s.Charset
	}
	return ""
}

// readWhole is whole for a document in its own character set. A document in another one is an error.
func (s *Spec) readWhole(r io.Reader, limits Limits) ([]byte, error) {
	data, err := whole(r, limits)
	if err != nil {
		return nil, err
	}
	if set := s.oneByte(); set != nil {
		if bad := s.misread(data, set); bad != "" {
			return nil, errors.New("the document " + bad)
		}
	}
	return data, nil
}

// unmarked refuses a document that begins with the mark of UTF-8 while the source document names another
// character set.
func (s *Spec) unmarked(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if head, _ := b.Peek(len(utf8Mark)); bytes.Equal(head, []byte(utf8Mark)) {
		return nil, fmt.Errorf("the document begins with the mark of UTF-8, though decode.charset says %s", s.Charset)
	}
	return b, nil
}

// inCharset marks the rows of a text format that were not read in their own character set. Only those rows
// are lost.
func (s *Spec) inCharset(yield func(*Record) error) func(*Record) error {
	set := s.oneByte()
	if !s.Format.Lined() || set == nil && s.Format != Fixed {
		return yield
	}
	return func(rec *Record) error {
		if rec.Bad == "" && rec.Fields != nil {
			rec.Bad = s.misread([]byte(rec.Raw()), set)
		}
		return yield(rec)
	}
}
