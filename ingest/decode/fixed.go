package decode

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"rollcall/internal/plural"
)

// eachFixed reads lines whose columns stand at fixed places, counted in characters. A line shorter than
// MinLength was cut off and is bad; a line that only lacks its trailing blanks is not.
func (s *Spec) eachFixed(r io.Reader, limits Limits, facts *Facts, yield func(*Record) error) error {
	l := newLines(r, limits.Row)
	for {
		text, number, long, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		// A line of the end mark alone is no row that was cut off.
		if len(text) == 0 || len(text) == 1 && text[0] == endMark {
			continue
		}
		f := fixedRow{spans: s.Spans, line: string(text), plain: isASCII(text)}
		rec := Record{Fields: f, Line: number}
		switch n := utf8.RuneCountInString(f.line); {
		case long:
			rec.Bad = fmt.Sprintf("is longer than %d bytes", limits.Row)
		case n < s.MinLength && (s.EndMarker == "" || len(f.line) < len(s.EndMarker) || f.line[:len(s.EndMarker)] != s.EndMarker):
			rec.Bad = fmt.Sprintf("has %s, at least %d are needed", plural.Of(n, "character"), s.MinLength)
		}
		facts.runsOut(l.open)
		if err := yield(&rec); err != nil {
			return err
		}
	}
}

// isASCII reports whether each byte is a character: then a column is cut out without decoding the line.
func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// fixedRow is one line.
type fixedRow struct {
	// spans are by column. Positions count characters from 1, as layouts on paper do.
	spans map[string]Span
	line  string
	plain bool // every character is one byte
}

// Value returns what stands in a column. A short line has empty columns at its end, as many programs drop
// trailing blanks.
func (f fixedRow) Value(path string) (string, bool) {
	span, ok := f.spans[path]
	if !ok {
		return "", false
	}
	from, to := span.Start-1, span.Start-1+span.Length
	if f.plain {
		if from >= len(f.line) {
			return "", true
		}
		return f.line[from:min(to, len(f.line))], true
	}
	runes := []rune(f.line)
	if from >= len(runes) {
		return "", true
	}
	return string(runes[from:min(to, len(runes))]), true
}

// Null is false: the format has no null.
func (f fixedRow) Null(string) bool { return false }

// Rows is empty: nothing is nested in a line.
func (f fixedRow) Rows(string) []Fields { return nil }

// Raw is the line.
func (f fixedRow) Raw() string { return f.line }
