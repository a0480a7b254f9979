// Package decode turns the bytes of a source's documents into raw records: named texts, still exactly as the
// source wrote them, each with its line and its raw form. It knows formats (CSV, fixed width, JSON, HTML,
// XML, tagged tab-separated records), never what a value means: that is package mapping.
//
// Package ingest opens a document (Open) and calls Spec.Each, which yields one record after the other and
// notes in Facts what proves that the document is complete. Sources are not trusted. A malformed row becomes
// a Record with Bad set, never a failed run; no document costs more memory than Limits allows. It does no
// input or output beyond the reader it is passed.
package decode

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Fields are the values of one record by path. What a path is depends on the format: a column name, a JSON
// path, an XPath, or for HTML one of those that htmlRow lists (docs/sources-reference.md, "Paths").
type Fields interface {
	// Value is the text at path, untrimmed; ok is false where the record has no such value or null.
	Value(path string) (text string, ok bool)
	// Null reports whether the record has the name and says that there is no value: null of JSON. Other
	// formats have none.
	Null(path string) bool
	// Rows are the records nested at path, empty where the format has none.
	Rows(path string) []Fields
	// Raw is the record as the source wrote it. It may hold personal data.
	Raw() string
}

// Record is one raw record of a document, or one that could not be read.
type Record struct {
	Fields
	// Kind is the kind of the record, in a source of several kinds; else empty.
	Kind string
	// Line is where it begins: the line of a text file, or the position of a JSON row, counted from 1.
	Line int64
	// Row is which row of the document it is or begins with, counted from 1; headers and blank lines do not
	// count.
	Row int64
	// Bad says why the record cannot be read; empty if it can.
	Bad string
}

// Facts is what a document says of itself, from which its completeness is proven (package reconcile). Each
// sets it; the caller sets Keys, Whole and Outer before.
type Facts struct {
	// Header has the column names in order, where the format has a header.
	Header []string
	// Total is the number of rows that the document declares; nil if it declares none.
	Total *int
	// Marker reports whether the end marker was seen.
	Marker bool
	// Rows counts the records yielded, bad ones included.
	Rows int
	// Keys collects the names of values, of json, html and xml; nil if they are not needed.
	Keys *Keys
	// Lines counts, in text formats with a declared total, the rows that the total counts, before they are
	// grouped.
	Lines int

	// LastRow is which row the last one is, counted as Record.Row.
	LastRow int64 // which one the last row is, counted as in Record.Row

	// Whole is set by the caller if something outside the document, such as a declared length, shows that its
	// last byte is there.
	Whole bool
	// Outer is set by the caller too: in html the paths into the page around the rows.
	Outer []string
	// Cut says why the last row may be half a row: nothing shows that it ends before the document does. Empty
	// if it is whole.
	Cut string
}

// Limits bound what one document may cost. Zero is the default of each.
type Limits struct {
	// Row is the bytes of a row; 1 MiB by default.
	Row int
	// Rows is the number of rows of a document; 20 million by default.
	Rows int
	// Page is the bytes of a document that is read whole (JSON, HTML, XML); 64 MiB by default.
	Page int
	// Nodes is the number of elements of an HTML or XML document; 1 million by default.
	Nodes int
	// Nesting is the depth of nested values; 64 by default.
	Nesting int
	// Bad is how many rows one after the other may be unreadable; 10,000 by default.
	Bad int
}

// withDefaults fills in what the source document leaves open. A source is not trusted: each limit bounds
// memory or time that one document can cost.
func (l Limits) withDefaults() Limits {
	if l.Row == 0 {
		l.Row = 1 << 20
	}
	if l.Rows == 0 {
		l.Rows = 20_000_000
	}
	if l.Page == 0 {
		l.Page = 64 << 20
	}
	if l.Nodes == 0 {
		l.Nodes = 1_000_000
	}
	if l.Bad == 0 {
		l.Bad = 10_000
	}
	if l.Nesting == 0 {
		l.Nesting = 64
	}
	return l
}

// ErrTooLarge is the error for a document that goes beyond its limits. What was yielded before stays valid,
// but the document is not complete.
var ErrTooLarge = errors.New("document is larger than its limits allow")

// ErrUnreadable is the error for a document of which so many rows one after the other cannot be read that it is of another
// form than the source document says. Each row would be a row in quarantine.
var ErrUnreadable = errors.New("rows cannot be read")

// Each decodes one document and yields its records in order, grouped and completed as the source document
// says. It stops at the first error of yield, which it returns. Its other errors speak of the document as a
// whole: it is not of the format, is beyond its limits, or is an answer that refuses (ErrRefused). s is not
// changed.
//
// A row passes these functions in this order: the format's own reader, numbered, inCharset, trailer,
// Split.group, and at last counted, which keeps end markers and joins nested rows.
func (s *Spec) Each(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	limits = limits.withDefaults()
	facts.Cut = ""
	text, err := s.text(r)
	if err != nil {
		return err
	}
	bad := 0
	counted := func(rec *Record) error {
		facts.Rows++
		if bad++; rec.Bad == "" {
			bad = 0
		}
		if bad > limits.Bad {
			return fmt.Errorf("%w: %d rows one after the other; of the last: %s", ErrUnreadable, bad, rec.Bad)
		}
		if facts.Rows > limits.Rows {
			return fmt.Errorf("%w: more than %d rows", ErrTooLarge, limits.Rows)
		}
		if s.EndMarker != "" && s.Format != HTML && rec.Fields != nil && strings.HasPrefix(rec.Raw(), s.EndMarker) {
			facts.Rows--
			facts.Marker = true
			return nil
		}
		if len(s.Join) > 0 && rec.Bad == "" {
			rec.Fields = joined{rec.Fields, s.Join}
		}
		return yield(rec)
	}
	grouped, flush := s.Split.group(counted)
	rows, end, err := s.trailer(facts, grouped)
	if err != nil {
		return err
	}
	if err := s.each(text, limits, facts, s.inCharset(numbered(facts, rows))); err != nil {
		return err
	}
	end()
	return flush()
}

// numbered counts the rows, before several of them are made one record.
func numbered(facts *Facts, yield func(*Record) error) func(*Record) error {
	n := int64(0)
	return func(rec *Record) error {
		n++
		rec.Row, facts.LastRow = n, n
		return yield(rec)
	}
}

// each reads records in the document's format.
func (s *Spec) each(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	switch s.Format {
	case CSV, TSV:
		return s.eachSeparated(r, limits, facts, yield)
	case Fixed:
		return s.eachFixed(r, limits, facts, yield)
	case Tagged:
		return s.eachTagged(r, limits, facts, yield)
	case JSON:
		return s.eachJSON(r, limits, facts, yield)
	case HTML:
		return s.eachHTML(r, limits, facts, yield)
	case XML:
		return s.eachXML(r, limits, facts, yield)
	default:
		return fmt.Errorf("format %q has no decoder", s.Format)
	}
}
