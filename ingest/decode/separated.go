package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"rollcall/internal/plural"
)

// eachSeparated reads CSV and TSV (RFC 4180, with what programs write instead). Columns are found by the
// names of the header, so their order may change. A row with another number of fields than the header is bad.
// A quote that is never closed costs its own line only: reading goes on at the next.
func (s *Spec) eachSeparated(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	p := &separated{lines: newLines(r, limits.Row), comma: ',', quotes: true}
	switch {
	case s.Format == TSV:
		p.comma, p.quotes = '\t', false
	case s.Separator != "":
		p.comma = s.Separator[0]
	}
	for range s.Above {
		if _, _, _, err := p.lines.next(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	header := s.Columns
	if !s.Headless {
		fields, _, bad, err := p.next()
		if errors.Is(err, io.EOF) {
			return errors.New("the file is empty, not even a header")
		}
		if err != nil {
			return err
		}
		if bad != "" {
			return fmt.Errorf("read header: %s", bad)
		}
		header = headerNames(fields)
		if err := missing(s.Columns, header); err != nil {
			return err
		}
	}
	facts.Header = header
	columns := columnsOf(header)
	for {
		p.want = len(header)
		fields, line, bad, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" && bad == "" {
			continue // a blank line
		}
		rec := Record{Fields: row{columns: columns, fields: fields, raw: p.raw}, Line: line, Bad: bad}
		if bad == "" && len(fields) != len(header) {
			rec.Bad = fmt.Sprintf("has %s, the header has %d", plural.Of(len(fields), "field"), len(header))
		}
		if s.EndMarker != "" && strings.HasPrefix(p.raw, s.EndMarker) {
			rec.Bad = ""
		}
		facts.runsOut(p.open)
		if err := yield(&rec); err != nil {
			return err
		}
	}
}

// columnsOf returns the place of each column by its name, the first one's where two have the same.
func columnsOf(header []string) map[string]int {
	columns := make(map[string]int, len(header))
	for i, name := range header {
		if _, twice := columns[name]; !twice {
			columns[name] = i
		}
	}
	return columns
}

// headerNames returns the names of columns without a byte order mark, blanks around them, and empty ones at
// the end.
func headerNames(fields []string) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = strings.TrimSpace(strings.TrimPrefix(f, "\ufeff"))
	}
	for len(names) > 1 && names[len(names)-1] == "" { // a trailing comma
		names = names[:len(names)-1]
	}
	return names
}

// missing returns an error when the header lacks expected columns: then the layout changed, and mapping the
// rest would make false facts.
func missing(expected, header []string) error {
	have := make(map[string]bool, len(header))
	for _, h := range header {
		have[h] = true
	}
	var lost []string
	for _, e := range expected {
		if !have[e] {
			lost = append(lost, e)
		}
	}
	if len(lost) > 0 {
		return &MissingColumnsError{Lost: lost, Header: header}
	}
	return nil
}

// MissingColumnsError is the error for a file whose header is not the one that the source document names. Its
// text leaves the header itself out: in a file without a header that is the first person. Lost are the
// columns that are missing, Header those that are there.
type MissingColumnsError struct{ Lost, Header []string }

// Error names the columns that the source document expects.
func (m *MissingColumnsError) Error() string {
	return "the header lacks the columns " + strings.Join(m.Lost, ", ")
}

// checkSeparated notes settings that no text with separators can have.
func (s *Spec) checkSeparated(need func(ok bool, key, why string)) {
	one := len(s.Separator) == 1 && !strings.ContainsAny(s.Separator, "\"\r\n") && s.Separator[0] < 0x80
	need(s.Separator == "" || one && s.Format == CSV, "separator", fmt.Sprintf("%q is not one character between the fields of format csv", s.Separator))
	need(s.Above == 0 || s.Above > 0 && (s.Format == CSV || s.Format == TSV), "above", "counts the lines above the header of format csv or tsv")
}

// row is a record of columns.
type row struct {
	// columns is the position of each column by its name, shared by all rows.
	columns map[string]int
	fields  []string
	raw     string
}

// Value is the field of a column; ok is false for an unknown column, and for one beyond the end of a short
// row.
func (r row) Value(path string) (string, bool) {
	i, ok := r.columns[path]
	if !ok || i >= len(r.fields) {
		return "", false
	}
	return r.fields[i], true
}

// Null is false: the format has no null.
func (r row) Null(string) bool { return false }

// Rows is empty: nothing is nested in a line.
func (r row) Rows(string) []Fields { return nil }

// Raw is the line or lines of the record.
func (r row) Raw() string { return r.raw }

// separated parses one record after the other out of lines.
type separated struct {
	*lines
	comma byte
	// quotes reports whether fields may be quoted.
	quotes bool
	// want is the number of fields of a whole record; 0 while it is not known.
	want int
	// raw is the record that next returned last.
	raw string
	// slips counts the lines that were dropped for a quote that is not closed.
	slips int
	// seen is how far the pending record was read.
	seen scanned
	// looked counts the bytes that were looked at for the ends of records.
	looked int
}

// scanned is how far a record was read that goes on in what is not yet there.
type scanned struct {
	// at is the place behind what was read, within the pending text, and breaks counts the line breaks before it.
	at, breaks int
	// inside reports whether at lies in quotes, later whether it is not the beginning of a field, and quoted whether the record
	// has quotes.
	inside, later, quoted bool
}

// maxSlips is after how many lines with a quote that is not closed no field of the file may span lines any more. Until then a
// closing quote is looked for up to the longest row, so without a bound a file of slips would be read again for each.
const maxSlips = 20

// next returns the fields of a record and the line where it begins, or why it is bad. io.EOF ends.
func (p *separated) next() (fields []string, line int64, bad string, err error) {
	line = p.line
	p.seen = scanned{}
	for {
		n, breaks, quoted, whole := p.scan(p.pending())
		if !whole {
			more, err := p.fill()
			if err != nil {
				return nil, 0, "", err
			}
			if more || !p.eof && p.end-p.start <= p.limit || p.quotes && p.eof && p.seen.at < p.end-p.start {
				continue
			}
			if p.eof && p.start == p.end {
				return nil, 0, "", io.EOF
			}
			return p.rescue(breaks, quoted)
		}
		if p.seen.inside {
			return p.firstLine("a quote is not closed in its line")
		}
		fields = p.cut(n, quoted)
		// A quote may span lines, or it may be a slip that would swallow the rows up to the next quote.
		if breaks > 1 && p.want > 1 && (len(fields) != p.want || p.wholeFirstLine()) {
			return p.firstLine("a quote is not closed in its line")
		}
		p.consume(n, breaks)
		return fields, line, "", nil
	}
}

// scan finds the end of the record at the head of data: its length with the line end, the line breaks in it,
// whether it holds quotes (or, without an end, whether a quote is open), and whether the end was seen at all. It goes on
// where it stopped before data grew.
func (p *separated) scan(data []byte) (n, breaks int, quoted, whole bool) {
	s := &p.seen
	if s.at == 0 {
		end := bytes.IndexByte(data, '\n')
		if !p.quotes || end >= 0 && bytes.IndexByte(data[:end], '"') < 0 {
			return end + 1, 1, false, end >= 0
		}
	}
	from := s.at
	defer func() { p.looked += s.at - from }()
	for ; s.at < len(data); s.at++ {
		switch c := data[s.at]; {
		case c == '"' && s.inside:
			next := s.at + 1
			switch {
			case next == len(data) && !p.eof && len(data) <= p.limit:
				return len(data), s.breaks + 1, true, false // what follows says whether it closes
			case next < len(data) && data[next] == '"':
				s.at++ // a doubled quote is one quote
			case next == len(data) || data[next] == p.comma || data[next] == '\n' || data[next] == '\r':
				s.inside = false
			}
		case c == '"' && !s.later:
			s.inside, s.quoted, s.later = true, true, true
		case c == '\n':
			s.breaks++
			if !s.inside || p.slips >= maxSlips {
				return s.at + 1, s.breaks, s.quoted, true
			}
		case c == p.comma && !s.inside:
			s.later = false
		case c != ' ' || s.inside:
			s.later = true
		}
	}
	return len(data), s.breaks + 1, s.inside, false
}

// rescue handles what is left at the end of the text or beyond the row limit.
func (p *separated) rescue(breaks int, open bool) ([]string, int64, string, error) {
	line := p.line
	if p.eof && !open {
		fields := p.cut(len(p.pending()), true)
		p.runOut()
		p.line += int64(max(breaks, 1) - 1)
		return fields, line, "", nil
	}
	if p.eof || bytes.IndexByte(p.pending(), '\n') >= 0 {
		return p.firstLine("a quote is not closed")
	}
	p.raw = string(p.pending()[:min(1024, p.end-p.start)])
	err := p.skip()
	return nil, line, fmt.Sprintf("is longer than %d bytes", p.limit), err
}

// wholeFirstLine reports whether the first line of a record of several lines could be a row by itself. Then
// its open quote is a mistake that would swallow the rows up to the next quote: people who are in jail would
// be missing. A quote that is open in the last field is none, as notes have several lines.
func (p *separated) wholeFirstLine() bool {
	line, _, _ := strings.Cut(p.raw, "\n")
	return strings.Count(line, string(p.comma)) >= p.want-1 && len(p.split(line, true)) < p.want
}

// firstLine drops the first line of the pending text as bad; reading goes on at the second.
func (p *separated) firstLine(bad string) ([]string, int64, string, error) {
	p.slips++
	line, n := p.line, bytes.IndexByte(p.pending(), '\n')+1
	if n == 0 {
		p.raw = string(bytes.TrimRight(p.pending(), "\r\n"))
		p.runOut()
		return nil, line, bad, nil
	}
	p.raw = string(bytes.TrimRight(p.pending()[:n], "\r\n"))
	p.consume(n, 1)
	return nil, line, bad, nil
}

// cut splits the record of n bytes at the head of the pending text.
func (p *separated) cut(n int, quoted bool) []string {
	p.raw = string(bytes.TrimRight(p.pending()[:n], "\r\n"))
	return p.split(p.raw, quoted)
}

// split cuts a record into fields; quoted is whether any of its fields is quoted, which most are not.
func (p *separated) split(rest string, quoted bool) []string {
	fields := make([]string, 0, max(p.want, 8))
	for {
		if quoted {
			// Blanks before a quote belong to no field, as some programs align their columns.
			if trimmed := strings.TrimLeft(rest, " "); strings.HasPrefix(trimmed, `"`) {
				field, after, more := unquote(trimmed[1:], p.comma)
				fields = append(fields, field)
				if !more {
					return fields
				}
				rest = after
				continue
			}
		}
		i := strings.IndexByte(rest, p.comma)
		if i < 0 {
			return append(fields, rest)
		}
		fields = append(fields, rest[:i])
		rest = rest[i+1:]
	}
}

// unquote reads a quoted field after its opening quote; more reports whether another field follows. A quote
// that no comma or line end follows is meant as a quote (`"JANE "JJ" DOE"`).
func unquote(s string, comma byte) (field, rest string, more bool) {
	escaped := false
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			escaped = true
			i++
			continue
		}
		if i+1 == len(s) || s[i+1] == comma || s[i+1] == '\r' || s[i+1] == '\n' {
			field = s[:i]
			if escaped {
				field = strings.ReplaceAll(field, `""`, `"`)
			}
			if i+1 < len(s) && s[i+1] == comma {
				return field, s[i+2:], true
			}
			return field, "", false
		}
	}
	return strings.ReplaceAll(s, `""`, `"`), "", false
}
