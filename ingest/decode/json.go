package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// ErrRefused says that the source answered with an error, however friendly its status was.
var ErrRefused = errors.New("the source answered with an error")

// eachJSON reads one JSON document (or one a line). Rows stand in the first of the Rows paths that
// exists; without Rows the document itself is the row, or the list of rows.
func (s *Spec) eachJSON(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	if s.Lines {
		return s.eachJSONLine(r, limits, yield)
	}
	data, err := whole(r, limits)
	if err != nil {
		return err
	}
	if s.Empty != "" && len(data) == 0 {
		return yield(hollow(data))
	}
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
	for i, item := range rows {
		rec := Record{Fields: jsonRow{item}, Line: int64(i + 1)}
		if !item.IsObject() {
			rec.Bad = "is no JSON object"
		}
		if err := yield(&rec); err != nil {
			return err
		}
	}
	return nil
}

func (s *Spec) rows(page gjson.Result) ([]gjson.Result, error) {
	if len(s.Rows) == 0 {
		return page.Array(), nil
	}
	for _, path := range s.Rows {
		if rows := page.Get(path); rows.IsArray() || rows.IsObject() {
			return rows.Array(), nil
		}
	}
	return nil, fmt.Errorf("the answer has no rows at %s", strings.Join(s.Rows, ", "))
}

func (s *Spec) eachJSONLine(r io.Reader, limits Limits, yield func(*Record) error) error {
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
		rec := Record{Fields: jsonRow{gjson.Result{Type: gjson.JSON, Raw: raw}}, Line: number}
		if long {
			rec.Bad = fmt.Sprintf("is longer than %d bytes", limits.Row)
		} else {
			rec.Bad = unsound([]byte(raw), limits.Nesting)
		}
		if err := yield(&rec); err != nil {
			return err
		}
	}
}

func (m ErrorMark) found(page gjson.Result) bool {
	v := page.Get(m.Path)
	if m.Equals != nil {
		return v.Exists() && v.String() == *m.Equals
	}
	return v.Exists() && v.Type != gjson.Null && v.Type != gjson.False && v.String() != ""
}

// unsound tells what is wrong with a JSON text. Depth is looked at first: the parser recurses.
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

// jsonRow reads values by gjson paths; `detailsJson.@fromstr.charges` reads JSON inside a text.
type jsonRow struct{ v gjson.Result }

func (j jsonRow) Value(path string) (string, bool) {
	v := j.v.Get(path)
	if !v.Exists() || v.Type == gjson.Null {
		return "", false
	}
	return v.String(), true
}

func (j jsonRow) Rows(path string) []Fields {
	v := j.v.Get(path)
	if !v.Exists() || v.Type == gjson.Null {
		return nil
	}
	items := v.Array()
	list := make([]Fields, len(items))
	for i, item := range items {
		list[i] = jsonRow{item}
	}
	return list
}

func (j jsonRow) Raw() string { return j.v.Raw }
