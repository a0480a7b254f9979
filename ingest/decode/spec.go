package decode

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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

// The formats.
const (
	CSV    Format = "csv"    // comma separated with quotes
	TSV    Format = "tsv"    // tab separated without quotes
	Fixed  Format = "fixed"  // columns at fixed positions of a line
	JSON   Format = "json"   // one document, or one a line
	Tagged Format = "tagged" // tab separated, the record kind in the first column
	HTML   Format = "html"   // tables by header text, cards, label and value pairs
	XML    Format = "xml"    // values by XPath
)

// Spec is the `decode` part of a source document.
type Spec struct {
	Format    Format              `yaml:"format"`
	Charset   string              `yaml:"charset"`    // WHATWG name, default utf-8
	Columns   []string            `yaml:"columns"`    // csv, tsv, html tables: the columns in order; with a header, those expected in it
	Optional  []string            `yaml:"optional"`   // columns that may be there too
	Headless  bool                `yaml:"headless"`   // csv, tsv, html tables: the first row is data
	Separator string              `yaml:"separator"`  // csv: what stands between fields, one character, default a comma
	Above     int                 `yaml:"above"`      // csv, tsv: so many lines (a title, a date) stand above the header
	Spans     map[string]Span     `yaml:"spans"`      // fixed: where each column stands
	MinLength int                 `yaml:"min_length"` // fixed: shorter lines are cut off
	Kinds     map[string][]string `yaml:"kinds"`      // tagged: columns after the kind
	Rows      document.Texts      `yaml:"rows"`       // json, html, xml: path of the rows; the first that exists
	Total     string              `yaml:"total"`      // json, html, xml: path of the declared number of rows; text formats: regular expression of the last line, its group the number
	Lines     bool                `yaml:"lines"`      // json: one document a line
	Embedded  []string            `yaml:"embedded"`   // json: paths of a row that hold JSON written as a text
	Errors    []ErrorMark         `yaml:"errors"`     // json, html, xml: what an error answered as HTTP 200 looks like
	EndMarker string              `yaml:"end_marker"` // text formats: the line that ends a whole file begins so; html: a whole page ends so
	Empty     string              `yaml:"empty"`      // json, html, xml: "quarantine": a document without rows is one bad row, not a failed run
	Spaces    map[string]string   `yaml:"namespaces"` // xml: the prefixes of the paths
	Join      []Join              `yaml:"join"`       // nested rows that are completed from others
	Split     Split               `yaml:"split"`

	OpenEnded bool `yaml:"ends_unterminated"` // text formats, html: whole documents end without a line break, or within the element of their last row
}

// ErrorMark recognises an error that came as an ordinary answer: the value at Path equals Equals, or,
// without Equals, is anything but empty, null and false.
type ErrorMark struct {
	Path   string  `yaml:"path"`
	Equals *string `yaml:"equals"`
}

// Span is the place of a column in a line: 1-based start and length in characters, written "9,18".
type Span struct{ Start, Length int }

// ReadNode reads "start,length".
func (s *Span) ReadNode(path string, node *yaml.Node, problems *document.Problems) {
	start, length, _ := strings.Cut(node.Value, ",")
	var err1, err2 error
	s.Start, err1 = strconv.Atoi(strings.TrimSpace(start))
	s.Length, err2 = strconv.Atoi(strings.TrimSpace(length))
	if err1 != nil || err2 != nil || s.Start < 1 || s.Length < 1 {
		problems.Add(path, `%q is no place such as "9,18" (start counted from 1, length)`, node.Value)
	}
}

// Check notes what contradicts itself.
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
	case JSON:
	case HTML, XML:
		need(len(s.Rows) > 0, "rows", fmt.Sprintf("is needed for format %s", s.Format))
		s.checkMarkup(path, problems)
	case "":
		need(false, "format", "is missing")
	default:
		need(false, "format", fmt.Sprintf("%q is no format%s", s.Format, document.Suggest(string(s.Format), []string{"csv", "tsv", "fixed", "json", "tagged", "html", "xml"})))
	}
	if s.Charset != "" {
		if _, err := htmlindex.Get(s.Charset); err != nil {
			problems.Add(document.At(path, "charset"), "%q is no character set", s.Charset)
		}
	}
	need(s.Empty == "" || s.Empty == "quarantine", "empty", fmt.Sprintf(`%q is unknown; only "quarantine" is`, s.Empty))
	s.checkSeparated(need)
	s.checkEnd(need)
	for i, j := range s.Join {
		if j.Rows == "" || j.With == "" || j.On == "" {
			problems.Add(document.Index(document.At(path, "join"), i), "needs rows, with and on")
		}
	}
	s.checkTotal(path, problems)
	s.Split.check(document.At(path, "split"), problems)
}

// Expects tells whether a column is one of those that the document names.
func (s *Spec) Expects(column string) bool {
	same := func(known string) bool {
		return known == column || s.Format == HTML && strings.EqualFold(known, column)
	}
	return slices.ContainsFunc(s.Columns, same) || slices.ContainsFunc(s.Optional, same)
}

// Paths are the column names that the document declares, nil where it can not know them.
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
		for _, c := range columns {
			known[c] = true
		}
	}
	if len(known) == 0 {
		return nil
	}
	return known
}

// text gives the document as UTF-8.
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

// plainText refuses a document that begins with the mark of UTF-16, which spreadsheets write and which
// would else be read as rubbish.
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
