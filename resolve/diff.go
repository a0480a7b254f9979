package resolve

import (
	"encoding/json"
	"strconv"
	"time"

	"rollcall/models"
)

// Field is one fact of a record in the text form of its history; nil is not known or not set.
type Field struct {
	Name string  // as in history
	Text *string // its value; nil: not set
}

// Version is a fact that became another: a row of the record's history.
type Version struct {
	Field         string  // as in history
	Before, After *string // as history shows them; nil: there is none
}

// Diff lists the facts that differ between two states of one record, in the order of after. Both name
// their facts in the same way; a fact that only one of them names was, or becomes, unknown.
func Diff(before, after []Field) []Version {
	known := make(map[string]*string, len(before))
	for _, f := range before {
		known[f.Name] = f.Text
	}
	var out []Version
	for _, f := range after {
		if was := known[f.Name]; !equal(was, f.Text) {
			out = append(out, Version{Field: f.Name, Before: was, After: f.Text})
		}
		delete(known, f.Name)
	}
	for _, f := range before {
		if was, left := known[f.Name]; left && was != nil {
			out = append(out, Version{Field: f.Name, Before: was})
		}
	}
	return out
}

// equal compares two texts, of which either may be unknown.
func equal(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Text is the text form of a text; empty is not set.
func Text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// DateText is the text form of a day: 2026-03-08.
func DateText(d *models.Date) *string {
	if d == nil {
		return nil
	}
	return Text(d.String())
}

// InstantText is the text form of an instant: 2026-03-08T14:00:00.000000Z.
func InstantText(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return Text(t.UTC().Format("2006-01-02T15:04:05.000000Z"))
}

// BoolText is the text form of a truth value.
func BoolText(b bool) *string { return Text(strconv.FormatBool(b)) }

// NumberText is the text form of a number; 0 is not set.
func NumberText[T int16 | int64](n T) *string {
	if n == 0 {
		return nil
	}
	return Text(strconv.FormatInt(int64(n), 10))
}

// ListText is the text form of a list of texts, as JSON.
func ListText(list []string) *string {
	if list == nil {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // texts
	}
	return Text(string(b))
}
