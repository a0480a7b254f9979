package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// ErrRefused is the error for an answer that reports an error of its own, whatever its HTTP status was
// (Spec.Errors). Its run fails and applies nothing.
var ErrRefused = errors.New("the source answered with an error")

// eachJSON reads one JSON document, or with Lines one on each line. Rows stand in the first of the Rows paths
// that exists; without Rows the document itself is the row, or the list of rows.
func (s *Spec) eachJSON(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	if s.Lines {
		return s.eachJSONLine(r, limits, facts, yield)
	}
	data, err := s.readWhole(r, limits)
	if err != nil {
		return err
	}
	if s.Empty != "" && len(data) == 0 {
		return yield(hollow(data))
	}
	// gjson reads invalid JSON as far as it goes, so half an answer would be a short list.
	if bad := unsound(data, limits.Nesting); bad != "" {
		return errors.New(bad)
	}
	page := gjson.ParseBytes(data)
	for _, mark := range s.Errors {
		if mark.found(page) {
			return fmt.Errorf("%w (%s)", ErrRefused, mark.Path)
		}
	}
	if s.Total != "" {
		if total := page.Get(s.Total); total.Exists() {
			n := int(total.Int())
			facts.Total = &n
		}
	}
	rows, err := s.rows(page)
	if err != nil {
		if s.Empty != "" {
			return yield(hollow(data))
		}
		return err
	}
	line, around := int64(0), remember(jsonRow{v: page})
	each(rows, func(item gjson.Result) bool {
		line++
		rec := s.jsonRecord(item, around, limits)
		rec.Line = line
		if rec.Bad == "" {
			facts.Keys.json(item, s.Embedded)
		}
		err = yield(rec)
		return err == nil
	})
	return err
}

// rows returns the list of rows, at the first of the paths that has one. A page without any is an error and
// no empty list: an error message in JSON would otherwise release everybody.
func (s *Spec) rows(page gjson.Result) (gjson.Result, error) {
	if len(s.Rows) == 0 {
		return page, nil
	}
	for _, path := range s.Rows {
		if rows := page.Get(path); rows.IsArray() || rows.IsObject() {
			return rows, nil
		}
	}
	return gjson.Result{}, fmt.Errorf("the answer has no rows at %s", strings.Join(s.Rows, ", "))
}

// each calls visit with every element of an array, or with the one value that is no array, without making a
// list: a page of 64 MiB may hold 30 million elements.
func each(list gjson.Result, visit func(gjson.Result) bool) {
	if list.IsArray() {
		list.ForEach(func(_, item gjson.Result) bool { return visit(item) })
		return
	}
	visit(list)
}

// jsonRecord returns one row. A text in it that should be JSON and is not makes the row bad, because its
// charges would seem to be gone.
func (s *Spec) jsonRecord(item gjson.Result, page *remembered, limits Limits) *Record {
	row := jsonRow{v: item, page: page, embedded: s.Embedded}
	rec := &Record{Fields: row}
	if !item.IsObject() && !item.IsArray() {
		rec.Bad = "is no JSON object"
		return rec
	}
	for _, path := range s.Embedded {
		text := item.Get(path)
		if text.Type != gjson.String || text.Str == "" {
			continue
		}
		if bad := unsound([]byte(text.Str), limits.Nesting); bad != "" {
			rec.Bad = path + " " + bad
		}
	}
	return rec
}

// eachJSONLine reads one record a line. A line that is no JSON is a bad record, and the others are read.
func (s *Spec) eachJSONLine(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	l := newLines(r, limits.Row)
	for {
		text, number, long, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		raw := string(bytes.TrimPrefix(text, []byte("\ufeff")))
		rec := &Record{Fields: plain(raw)}
		if long {
			rec.Bad = fmt.Sprintf("is longer than %d bytes", limits.Row)
		} else if rec.Bad = unsound([]byte(raw), limits.Nesting); rec.Bad == "" {
			item := gjson.Parse(raw)
			if rec = s.jsonRecord(item, nil, limits); rec.Bad == "" {
				facts.Keys.json(item, s.Embedded)
			}
		}
		rec.Line = number
		if err := yield(rec); err != nil {
			return err
		}
	}
}

// found reports whether the page says that it failed.
func (m ErrorMark) found(page gjson.Result) bool {
	v := page.Get(m.Path)
	if m.Equals != nil {
		return v.Exists() && v.String() == *m.Equals
	}
	return v.Exists() && v.Type != gjson.Null && v.Type != gjson.False && v.String() != ""
}

// unsound returns what is wrong with a JSON text; empty if it is valid. Depth is checked first, because the
// parser recurses.
func unsound(data []byte, nesting int) string {
	depth, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > nesting {
				return fmt.Sprintf("is nested deeper than %d", nesting)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if !gjson.ValidBytes(data) {
		return "is no valid JSON"
	}
	return ""
}

// jsonRow reads values by gjson paths. Below the path of an embedded text they go on in the JSON that the
// text holds: `detailsJson.Charges`. With `outer.` before them they are paths of the whole document:
// `outer.meta.asof` (XML and HTML have the same).
type jsonRow struct {
	v gjson.Result
	// page is the document around the rows; nil if each line is a document of its own.
	page *remembered
	// embedded are the paths of texts that are JSON themselves.
	embedded []string
}

// maxNested bounds the records nested in one row; the mapping refuses far fewer.
const maxNested = 10_000

// above returns the path within the page; ok is false for a path of the row.
func (j jsonRow) above(path string) (rest string, ok bool) {
	if j.page == nil {
		return "", false
	}
	return strings.CutPrefix(path, outer)
}

// get returns the value at a path of the row, or below an embedded text.
func (j jsonRow) get(path string) gjson.Result {
	for _, text := range j.embedded {
		rest, below := strings.CutPrefix(path, text+".")
		if !below {
			continue
		}
		inner := j.v.Get(text)
		if inner.Type == gjson.String {
			inner = gjson.Parse(inner.Str) // sound: jsonRecord looked at it
		}
		return inner.Get(rest)
	}
	return j.v.Get(path)
}

// Value is the text of a value; numbers and objects are as they are written.
func (j jsonRow) Value(path string) (string, bool) {
	if rest, ok := j.above(path); ok {
		return j.page.Value(rest)
	}
	v := j.get(path)
	if !v.Exists() || v.Type == gjson.Null {
		return "", false
	}
	return v.String(), true
}

// Null reports an explicit null, which some sources use for "taken back" and some for "unknown".
func (j jsonRow) Null(path string) bool {
	if rest, ok := j.above(path); ok {
		return j.page.Null(rest)
	}
	v := j.get(path)
	return v.Exists() && v.Type == gjson.Null
}

// Rows returns nested rows. It stops above maxNested; the caller reports the row as broken.
func (j jsonRow) Rows(path string) []Fields {
	if rest, ok := j.above(path); ok {
		return j.page.Rows(rest)
	}
	v := j.get(path)
	if !v.Exists() || v.Type == gjson.Null {
		return nil
	}
	var list []Fields
	each(v, func(item gjson.Result) bool {
		list = append(list, jsonRow{v: item, page: j.page})
		return len(list) <= maxNested
	})
	return list
}

// Raw is the JSON of the row.
func (j jsonRow) Raw() string { return j.v.Raw }
