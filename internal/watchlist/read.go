package watchlist

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"rollcall/internal/plural"
	"rollcall/internal/ssn"
	"rollcall/models"
)

// Bounds of a list.
const (
	// MaxBytes is how long a file may be.
	MaxBytes = 32 << 20
	// MaxLines is how many names it may hold: as many as an account may watch.
	MaxLines = models.DefaultMaxWatchers
)

// Line is a name of a list. County is as it is written; whether there is such a county is not checked here.
type Line struct {
	// Number is that of the file's line on which the name begins, from 1.
	Number  int
	Watcher models.NewWatcher
}

// Problem is a line that cannot be taken, and what to do about it.
type Problem struct {
	Line int
	// Field is the column that the message is about; empty: none alone.
	Field   string
	Message string
}

// List is what a file holds. Every line of it is in one of the two.
type List struct {
	Lines    []Line
	Problems []Problem
	// Ignored are the titles of columns that are not known, as they are written. Their values were not read.
	Ignored []string
}

// Read reads a file of names. A file that is no list is a models.Error.
func Read(from io.Reader, written Encoding) (*List, error) {
	all, err := io.ReadAll(io.LimitReader(from, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the list: %w", err)
	}
	if len(all) > MaxBytes {
		return nil, refused("the file is larger than %d MB; split it into several", MaxBytes>>20)
	}
	if bytes.HasPrefix(all, []byte("PK\x03\x04")) {
		return nil, refused("the file is a workbook such as .xlsx, and no CSV; save its sheet as CSV UTF-8, and import that")
	}
	if all, err = inUTF8(all, written); err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(all)) == 0 {
		return nil, refused("the file is empty; its first line names the columns, such as name,county,label")
	}
	line, _, _ := strings.Cut(string(all[:min(len(all), 4096)]), "\n")
	line = strings.TrimRight(line, "\r")
	if err := foreign(line); err != nil {
		return nil, err
	}
	h, err := header(line)
	if err != nil {
		return nil, err
	}
	l := &List{Ignored: h.ignored()}
	if err := l.read(reader(bytes.NewReader(all), h.separator), h.at); err != nil {
		return nil, err
	}
	if len(l.Lines)+len(l.Problems) == 0 {
		return nil, refused("the file names columns and holds no name; write one on each line after the first")
	}
	return l, nil
}

// foreign refuses a first line that another program would read.
func foreign(line string) error {
	switch {
	case len(line) == 5 && strings.EqualFold(line[:4], "sep="):
		return refused("line 1 is %s, which only spreadsheets read; take that line away", line)
	case strings.Contains(line, "\r"):
		return refused("the file ends its lines by CR alone, as old programs do; save it as CSV UTF-8, or end its lines by LF")
	case strings.Contains(line, "|") && !strings.ContainsAny(line, ",;\t"):
		return refused("line 1 parts its values by |; part them by commas, semicolons or tabs")
	}
	return nil
}

// reader returns the reader of CSV. The number of values is checked by line, to say what is wrong.
func reader(from io.Reader, separator rune) *csv.Reader {
	r := csv.NewReader(from)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = separator, -1, true
	return r
}

// read reads all lines after the first.
func (l *List) read(r *csv.Reader, at []string) error {
	if _, err := r.Read(); err != nil {
		return refused("line 1 cannot be read: it must name the columns, such as name,county,label")
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if len(l.Lines)+len(l.Problems) >= MaxLines {
			return refused("the file has more than %d names, the most that an account may watch; split it", MaxLines)
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			l.Problems = append(l.Problems, Problem{Line: bad.StartLine, Message: broken(bad)})
			continue
		}
		if err != nil {
			return fmt.Errorf("read the list: %w", err)
		}
		number, _ := r.FieldPos(0)
		end, _ := r.FieldPos(len(row) - 1)
		w, bad := watcher(row, at)
		if bad != nil && end > number {
			bad.Message += fmt.Sprintf("; the values reach from line %d to %d: is a quote missing?", number, end)
		}
		if bad != nil {
			bad.Line = number
			l.Problems = append(l.Problems, *bad)
			continue
		}
		l.Lines = append(l.Lines, Line{number, *w})
	}
}

// broken says what is wrong with the quotes of a line.
func broken(bad *csv.ParseError) string {
	if bad.Line > bad.StartLine {
		return fmt.Sprintf(`a quote is opened and not closed before line %d; nothing up to there was read. Close it with ", and write a quote inside quotes twice`, bad.Line)
	}
	if errors.Is(bad.Err, csv.ErrBareQuote) {
		return `a quote stands inside a value; put the whole value in quotes and write the inner quote twice: "Robert ""Bob"" Smith"`
	}
	return `a quote is opened and not closed, or text follows it; close it with ", and write a quote inside quotes twice`
}

// watcher reads the values of a line. The problem has no line yet.
func watcher(row, at []string) (*models.NewWatcher, *Problem) {
	if len(row) != len(at) {
		return nil, &Problem{Message: fmt.Sprintf("the line has %s and the first line names %s; put a value that holds the separator in quotes", plural.Of(len(row), "value"), plural.Of(len(at), "column"))}
	}
	values := make(map[string]string, len(row))
	for i, v := range row {
		if at[i] == ignored {
			continue
		}
		if message := checked(at[i], v); message != "" {
			return nil, &Problem{Field: at[i], Message: message}
		}
		if values[at[i]] = bare(v); at[i] != note {
			values[at[i]] = strings.TrimSpace(values[at[i]])
		}
	}
	return parsed(values)
}

// checked returns what is wrong with the text of a value.
func checked(column, v string) string {
	switch {
	case !utf8.ValidString(v):
		return "the line is not UTF-8: it may be Windows-1252, as older spreadsheets write; save the file as CSV UTF-8, or say that it is Windows-1252"
	case strings.ContainsRune(v, 0):
		return "the line holds a NUL character; write it anew"
	case strings.ContainsRune(v, utf8.RuneError):
		return orName(column) + " has a character that could not be read (U+FFFD); write it again"
	case column == "" && strings.TrimSpace(v) != "":
		return "a value stands in a column without a title; name the column in line 1"
	case column != note && strings.ContainsAny(strings.TrimSpace(v), "\n\r"):
		return orName(column) + " holds a line break, which only a note may"
	case ssn.Holds(v):
		return orName(column) + " holds what looks like a social security number; leave it out"
	case isName(column) && v != "" && strings.ContainsRune("=+@", rune(v[0])):
		return orName(column) + " is a formula of a spreadsheet; write the value itself"
	}
	return ""
}

// orName names a column in a message.
func orName(column string) string {
	if column == "" {
		return "a value"
	}
	return "the column " + column
}
