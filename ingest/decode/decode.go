// Package decode turns the bytes of a feed into raw records: named texts, still exactly as the source
// wrote them, each with its line and its raw form. It knows formats (CSV, fixed width, JSON, HTML,
// XML, tagged tab-separated records), never what a value means: that is package mapping. It does no input or
// output beyond the reader it is given, and it is bounded: a malformed row becomes a Record with Bad
// set, never a failed run and never more memory than Limits allows.
package decode

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Fields gives the values of one record by path. What a path is depends on the format: a column name,
// a JSON path, an XPath, or for HTML one of those that htmlRow tells.
type Fields interface {
	// Value is the text at path, untrimmed; ok is false where the record has no such value or null.
	Value(path string) (text string, ok bool)
	// Null tells whether the record has the name and says that there is no value: null of JSON. Other formats have none.
	Null(path string) bool
	// Rows are the records nested at path, empty where the format has none.
	Rows(path string) []Fields
	// Raw is the record as the source wrote it. It may hold personal data.
	Raw() string
}

// Record is one raw record of a feed, or one that could not be read.
type Record struct {
	Fields
	Kind string // record kind of a multi-record feed, else empty
	Line int64  // where it begins: line of a text file, position of a JSON row, counted from 1
	Row  int64  // which row of the document it is or begins with, counted from 1; headers and blank lines are none
	Bad  string // why the record can not be read; empty: it can
}

// Facts is what a document says of itself, the ground of a completeness proof.
type Facts struct {
	Header []string // column names in order, where the format has a header
	Total  *int     // the number of rows that the document declares
	Marker bool     // the end marker was seen
	Rows   int      // records yielded, bad ones included
	Keys   *Keys    // json, html, xml: collects the names of values; nil: nobody asks
	Lines  int      // text formats with a declared total: the rows that it counts, before they are grouped

	LastRow int64 // which one the last row is, counted as in Record.Row

	Whole bool     // given by who asks: something outside the document shows that its last byte is here
	Outer []string // html, likewise: the paths into the page around the rows that are read
	Cut   string   // why the last row may be half a row: nothing shows that it ends before the document does; empty: it is whole
}

// Limits bound what one document may cost.
type Limits struct {
	Row     int // bytes of a row, default 1 MiB
	Rows    int // rows of a document, default 20 million
	Page    int // bytes of a document that is read whole (JSON, HTML, XML), default 64 MiB
	Nodes   int // elements of an HTML or XML document, default 2 million
	Nesting int // depth of nested values, default 64
}

// withDefaults fills in what the document leaves open. A source is not trusted: each limit bounds memory or time that
// one document can cost.
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
		l.Nodes = 2_000_000
	}
	if l.Nesting == 0 {
		l.Nesting = 64
	}
	return l
}

// ErrTooLarge says that a document goes beyond its limits; what was yielded before stays valid, but
// the document is not complete.
var ErrTooLarge = errors.New("document is larger than its limits allow")

// Each decodes one document and yields its records in order. It stops at the first error of yield.
// Other errors speak of the document as a whole: it is not of the format, or beyond its limits.
func (s *Spec) Each(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	limits = limits.withDefaults()
	facts.Cut = ""
	text, err := s.text(r)
	if err != nil {
		return err
	}
	counted := func(rec *Record) error {
		facts.Rows++
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

// numbered counts the rows, before some of them are made one record.
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
