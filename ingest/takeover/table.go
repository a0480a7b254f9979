package takeover

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/value"
	"rollcall/internal/plural"
	"rollcall/models"
)

// bad is a value that cannot be taken over. Its reason holds no personal data.
type bad struct{ field, reason string }

// row is one row of a CSV file, its values by column name. The methods read a value and note the first that
// cannot be taken in bad.
type row struct {
	columns map[string]int
	values  []string
	bad     *bad
}

// text is a value without the blanks around it.
func (r *row) text(column string) string { return strings.TrimSpace(r.values[r.columns[column]]) }

// fail notes why the row cannot be taken; the first reason stays.
func (r *row) fail(field, reason string) {
	if r.bad == nil {
		r.bad = &bad{field, reason}
	}
}

// dirty notes a text that cannot be stored.
func (r *row) dirty(bad *clean.Bad) {
	if bad != nil {
		r.fail(bad.Field, bad.Reason)
	}
}

// need is a text that must be there.
func (r *row) need(column string) string {
	s := r.text(column)
	if s == "" {
		r.fail(column, "is missing")
	}
	return s
}

// date is a day; nil for an empty value.
func (r *row) date(column string) *models.Date {
	s := r.text(column)
	if s == "" {
		return nil
	}
	d, err := models.ParseDate(s)
	if err != nil {
		r.fail(column, "is no date such as 2026-03-08")
		return nil
	}
	return &d
}

// time is an instant with its offset (RFC 3339); nil for an empty value.
func (r *row) time(column string) *time.Time {
	s := r.text(column)
	if s == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.fail(column, "is no time such as 2026-03-08T01:30:00-05:00")
		return nil
	}
	return &t
}

// cents is an amount in dollars, converted; nil for an empty value and for 0, which means that no bond is
// set.
func (r *row) cents(column string) *int64 {
	s := r.text(column)
	if s == "" {
		return nil
	}
	// A jail that writes 0 has set no bond; value.Money would refuse it as no amount.
	if n, err := strconv.ParseFloat(s, 64); err == nil && n == 0 {
		return nil
	}
	n, ok := value.Money("$" + strings.TrimPrefix(s, "$"))
	if !ok {
		r.fail(column, "is no amount such as 1500.00")
		return nil
	}
	return &n
}

// oneOf is one of the allowed words, in any letter case.
func (r *row) oneOf(column string, allowed ...string) string {
	s := strings.ToLower(r.text(column))
	if !slices.Contains(allowed, s) {
		r.fail(column, "is not one of "+strings.Join(allowed, ", "))
	}
	return s
}

// table reads a CSV file with a header that has all the columns. each is called with every row and its line
// in the file, and may stop the reading with an error; the row is reused. Rows that are no CSV are rejected.
// A file without one of the columns is an error, and nothing of it is taken.
func (b *batch) table(path string, columns []string, each func(r *row, line int64) error) error {
	f, err := os.Open(path) //nolint:gosec // the operator names the directory
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	defer func() { _ = f.Close() }()
	c := csv.NewReader(bufio.NewReaderSize(&counted{r: f, tell: b.importing.read}, 1<<20))
	c.ReuseRecord, c.FieldsPerRecord = true, -1
	header, err := c.Read()
	if err != nil {
		return fmt.Errorf("read header of %s: %w", filepath.Base(path), err)
	}
	places := map[string]int{}
	for i, name := range header {
		places[strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))] = i
	}
	for _, name := range columns {
		if _, ok := places[name]; !ok {
			return fmt.Errorf("%s has no column %s", filepath.Base(path), name)
		}
	}
	width := len(header)
	for {
		values, err := c.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		// The reader goes on behind a record that is no CSV.
		if broken, ok := errors.AsType[*csv.ParseError](err); ok {
			b.reject(int64(broken.StartLine), "", "is no CSV", strings.Join(values, ","))
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
		line, _ := c.FieldPos(0)
		if len(values) != width {
			b.reject(int64(line), "", fmt.Sprintf("has %s, the header has %d", plural.Of(len(values), "field"), width), strings.Join(values, ","))
			continue
		}
		if err := each(&row{columns: places, values: values}, int64(line)); err != nil {
			return err
		}
		if len(b.bad) >= flushAt {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
}

// counted reports how many bytes are read.
type counted struct {
	r    io.Reader
	tell func(n int64)
}

// Read reads and reports.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.tell(int64(n))
	return n, err
}
