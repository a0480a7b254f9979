package decode

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"gopkg.in/yaml.v3"

	"rollcall/ingest/document"
)

// Format names a decoder.
type Format string

// The formats, as source documents name them.
const (
	// CSV is separated by commas, with quotes.
	CSV Format = "csv"
	// TSV is separated by tabs, without quotes.
	TSV Format = "tsv"
	// Fixed has columns at fixed positions of a line.
	Fixed Format = "fixed"
	// JSON is one document, or one a line.
	JSON Format = "json"
	// Tagged is separated by tabs, with the kind of the record in the first column.
	Tagged Format = "tagged"
	// HTML is read from tables by the text of the header, from cards, and from pairs of label and value.
	HTML Format = "html"
	// XML is read by XPath.
	XML Format = "xml"
)

// Spec is the `decode` part of a source document. The sentences above its fields are printed in
// docs/sources-reference.md.
type Spec struct {
	// Format of the documents.
	Format Format `yaml:"format" required:"true" oneof:"csv tsv fixed tagged json html xml" example:"csv"`
	// Character set, by its WHATWG name.
	Charset string `yaml:"charset" absent:"utf-8; xml: that of its declaration" example:"windows-1252"`
	// Formats csv and tsv, tables of html: the columns in their order; with a header, the columns that it must have.
	Columns []string `yaml:"columns" example:"[Booking No, Inmate, DOB, Booked]"`
	// Formats csv and tsv, tables of html: columns that may be there too; json, html and xml: keys that may come and go.
	Optional []string `yaml:"optional" example:"[Cell]"`
	// Formats csv and tsv, tables of html: the first row is data.
	Headless bool `yaml:"headless" absent:"false" example:"true"`
	// Format csv: the character between fields. Formats tsv and tagged have tabs.
	Separator string `yaml:"separator" absent:"','" example:"'|'"`
	// Formats csv and tsv: how many lines stand above the header.
	Above int `yaml:"above" min:"0" absent:"0" example:"1"`
	// Format fixed: the place of each column in a line, as start (from 1) and length in characters.
	Spans map[string]Span `yaml:"spans" absent:"required with fixed" example:"{id: '1,8', last: '9,18'}"`
	// Format fixed: a shorter line was cut off and goes to quarantine.
	MinLength int `yaml:"min_length" min:"0" absent:"0" example:"170"`
	// Format tagged: the columns that follow the kind of a record, by kind; or several such lists, of which a record has the one of
	// its length. Fields are separated by tabs; a trailing tab needs no column.
	Kinds map[string]Columns `yaml:"kinds" absent:"required with tagged" example:"{CA: [county, case, filed], DE: [[county, case, event], [county, case, day, time, code]]}"`
	// Formats json, html and xml: paths of the rows, of which the first that exists counts. In html name the table itself: its rows are read by the header, and a header that is repeated is left out.
	Rows document.Texts `yaml:"rows" absent:"required with html and xml" example:"[Inmates, Records]"`
	// Place of the declared number of rows: a path into the page, whose last number counts (214 of `Showing 1 to 100 of 214`); in text formats a regular expression on the last line, with one group. With `split` a page counts records and a text format rows.
	Total string `yaml:"total" example:"'^#END (\\d+)'"`
	// Format json: every line is a document of its own.
	Lines bool `yaml:"lines" absent:"false" example:"true"`
	// Format json: paths of a row that hold JSON written as a text.
	Embedded []string `yaml:"embedded" example:"[detailsJson]"`
	// Formats json, html and xml: what an error looks like that is answered with status 200.
	Errors []ErrorMark `yaml:"errors"`
	// Text formats: the beginning of the line that ends a whole file; html: the end of a whole page.
	EndMarker string `yaml:"end_marker" example:"'#END'"`
	// Formats json, html and xml: a document without rows is one row in quarantine, and no failed run.
	Empty string `yaml:"empty" oneof:"quarantine" example:"quarantine"`
	// Format xml: the prefixes that paths use.
	Spaces map[string]string `yaml:"namespaces" example:"{j: 'http://example.invalid/jail'}"`
	// Nested rows that are completed from other rows of the record.
	Join []Join `yaml:"join"`
	// How rows become records where one row is not one record.
	Split Split `yaml:"split"`
	// Text formats and html: whole documents end without a line break, or within the element of their last row.
	OpenEnded bool `yaml:"ends_unterminated" absent:"false" example:"true"`
}

// ErrorMark recognises an error that came as an ordinary answer: the value at Path equals Equals, or, without
// Equals, is anything but empty, null and false.
type ErrorMark struct {
	// Path of the value that shows the error.
	Path string `yaml:"path" required:"true" example:"answer.status"`
	// The value that means an error; without it, any value but empty, null and false.
	Equals *string `yaml:"equals" example:"failed"`
}

// Span is the place of a column in a line: start, counted from 1, and length, in characters; written "9,18".
type Span struct{ Start, Length int }

// ReadNode reads "start,length" and notes anything else in problems.
func (s *Span) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	start, length, _ := strings.Cut(node.Value, ",")
	var err1, err2 error
	s.Start, err1 = strconv.Atoi(strings.TrimSpace(start))
	s.Length, err2 = strconv.Atoi(strings.TrimSpace(length))
	if err1 != nil || err2 != nil || s.Start < 1 || s.Length < 1 {
		problems.Add(path, `%q is no place such as "9,18" (start counted from 1, length)`, node.Value)
	}
}

// Check notes in problems what contradicts itself, with the path in the source document. Each must be called
// only on a Spec that passed.
func (s *Spec) Check(path string, problems *document.Problems) {
	need := func(ok bool, key, why string) {
		if !ok {
			problems.Add(document.At(path, key), "%s", why)
		}
	}
	switch s.Format {
	case CSV, TSV:
		need(!s.Headless || len(s.Columns) > 0, "columns", "is needed when the file has no header")
	case Fixed:
		need(len(s.Spans) > 0, "spans", "is needed for format fixed")
	case Tagged:
		need(len(s.Kinds) > 0, "kinds", "is needed for format tagged")
		for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
			s.Kinds[kind].check(document.At(document.At(path, "kinds"), kind), problems)
		}
	case JSON:
	case HTML, XML:
		need(len(s.Rows) > 0, "rows", fmt.Sprintf("is needed for format %s", s.Format))
		s.checkMarkup(path, problems)
	}
	if s.Charset != "" {
		if _, err := htmlindex.Get(s.Charset); err != nil {
			problems.Add(document.At(path, "charset"), "%q is not a character set", s.Charset)
		}
	}
	s.checkSeparated(need)
	s.checkEnd(need)
	s.checkTotal(path, problems)
	s.Split.check(document.At(path, "split"), problems)
}

// Expects reports whether a column is one of those that the document names. Other columns are drift.
func (s *Spec) Expects(column string) bool {
	same := func(known string) bool {
		return known == column || s.Format == HTML && strings.EqualFold(known, column)
	}
	return slices.ContainsFunc(s.Columns, same) || slices.ContainsFunc(s.Optional, same)
}

// Paths are the column names that the document declares; nil where it cannot know them.
func (s *Spec) Paths() map[string]bool {
	if s.Format == HTML || s.Format == XML || s.Format == JSON {
		return nil
	}
	known := map[string]bool{}
	for _, c := range slices.Concat(s.Columns, s.Optional) {
		known[c] = true
	}
	for c := range s.Spans {
		known[c] = true
	}
	for _, columns := range s.Kinds {
		for _, c := range slices.Concat(columns...) {
			known[c] = true
		}
	}
	if len(known) == 0 {
		return nil
	}
	return known
}

// text returns the document as UTF-8.
func (s *Spec) text(r io.Reader) (io.Reader, error) {
	switch strings.ToLower(s.Charset) {
	case "", "utf-8", "utf8":
		return plainText(r)
	}
	r, err := s.unmarked(r)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(s.Charset) {
	case "iso-8859-1", "latin1":
		// The web reads Latin-1 as windows-1252, which turns stray bytes into curly quotes; so do jails.
		return charmap.Windows1252.NewDecoder().Reader(r), nil
	}
	enc, err := htmlindex.Get(s.Charset)
	if err != nil {
		return nil, fmt.Errorf("read character set %q: %w", s.Charset, err)
	}
	return enc.NewDecoder().Reader(r), nil
}

// plainText drops the mark of UTF-8 and refuses a document that begins with the mark of UTF-16, which
// spreadsheets write and which would be misread.
func plainText(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(len(utf8Mark)); string(mark) == utf8Mark { // it would move the columns of a fixed line
		_, _ = b.Discard(len(utf8Mark))
	}
	head, err := b.Peek(2)
	if err != nil {
		return b, nil //nolint:nilerr // a short document; what is wrong with the reader its next read tells
	}
	switch [2]byte(head) {
	case [2]byte{0xff, 0xfe}:
		return nil, errors.New("the document is UTF-16: set decode.charset to utf-16le")
	case [2]byte{0xfe, 0xff}:
		return nil, errors.New("the document is UTF-16: set decode.charset to utf-16be")
	}
	return b, nil
}
