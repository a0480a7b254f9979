package decode

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// outer is what paths into the document around a row begin with: `outer.label:Date of Birth`.
const outer = "outer."

// whole reads a document that can only be read as a whole, without byte order mark and blanks around it.
func whole(r io.Reader, limits Limits) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limits.Page)+1))
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	if len(data) > limits.Page {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limits.Page)
	}
	return bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))), nil
}

// plain is a record of which only the raw text is known.
type plain string

// Value finds nothing: the text could not be read as a record.
func (p plain) Value(string) (string, bool) { return "", false }

// Null is false: nothing was read.
func (p plain) Null(string) bool { return false }

// Rows is empty: nothing was read.
func (p plain) Rows(string) []Fields { return nil }

// Raw is the text.
func (p plain) Raw() string { return string(p) }

// hollow returns the bad record that stands for a document without rows. Whom the document speaks of is not
// known, so a snapshot with one is never complete.
func hollow(data []byte) *Record {
	bad := "the document has no rows"
	if len(data) == 0 {
		bad = "the document is empty"
	}
	return &Record{Fields: plain(data[:min(len(data), 64<<10)]), Line: 1, Bad: bad}
}

// around notes the total that a page declares, and returns ErrRefused if the page says that something went
// wrong.
func (s *Spec) around(page Fields, facts *Facts) error {
	for _, mark := range s.Errors {
		v, ok := page.Value(mark.Path)
		v = strings.TrimSpace(v)
		if ok && (mark.Equals != nil && v == *mark.Equals || mark.Equals == nil && v != "") {
			return fmt.Errorf("%w (%s)", ErrRefused, mark.Path)
		}
	}
	if s.Total == "" {
		return nil
	}
	if text, ok := page.Value(s.Total); ok {
		if n, ok := lastNumber(text); ok {
			facts.Total = &n
		}
	}
	return nil
}

// lastNumber returns the last whole number of a text: 214 of `Showing 1 to 100 of 214`.
func lastNumber(text string) (int, bool) {
	text = strings.ReplaceAll(text, ",", "")
	end := strings.LastIndexAny(text, "0123456789") + 1
	start := end
	for start > 0 && text[start-1] >= '0' && text[start-1] <= '9' {
		start--
	}
	n, err := strconv.Atoi(text[start:end])
	return n, err == nil
}

// Join completes nested rows from other rows of the same record: charges that name a bond's number from the
// table of bonds. A value that a row has itself stays.
type Join struct {
	// Path of the rows that are completed, as `each` names it.
	Rows string `yaml:"rows" required:"true" example:"table.Charges"`
	// Path of the rows that complete them.
	With string `yaml:"with" required:"true" example:"table.Bonds"`
	// Path of the value that both rows have.
	On string `yaml:"on" required:"true" example:"Bond Number"`
	// Path of that value in the rows of `with`.
	To string `yaml:"to" absent:"the same as on" example:"Number"`
}

// joined is a record whose nested rows are completed.
type joined struct {
	Fields
	// joins say which nested rows complete which others.
	joins []Join
}

// Rows returns the rows at path, each completed by the one with the same key.
func (j joined) Rows(path string) []Fields {
	rows := j.Fields.Rows(path)
	for _, join := range j.joins {
		if join.Rows != path {
			continue
		}
		rows = slices.Clone(rows) // they may be those of the page, which all of its rows share
		others := map[string]Fields{}
		for _, other := range j.Fields.Rows(join.With) {
			to := join.To
			if to == "" {
				to = join.On
			}
			if key, _ := other.Value(to); strings.TrimSpace(key) != "" {
				others[strings.TrimSpace(key)] = other
			}
		}
		for i, row := range rows {
			key, _ := row.Value(join.On)
			if other, ok := others[strings.TrimSpace(key)]; ok {
				rows[i] = completed{row, other}
			}
		}
	}
	return rows
}

// completed is a row and the one that completes it.
type completed struct {
	Fields
	other Fields
}

// Value returns the row's own value, else that of the row that completes it.
func (c completed) Value(path string) (string, bool) {
	if v, ok := c.Fields.Value(path); ok && strings.TrimSpace(v) != "" {
		return v, true
	}
	return c.other.Value(path)
}

// Null reports a null of either row.
func (c completed) Null(path string) bool { return c.Fields.Null(path) || c.other.Null(path) }
