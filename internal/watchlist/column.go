package watchlist

import (
	"fmt"
	"slices"
	"strings"

	"rollcall/models"
)

// The columns. A list has name, or last with first, middle and suffix.
const (
	name      = "name"
	first     = "first"
	middle    = "middle"
	last      = "last"
	suffix    = "suffix"
	county    = "county"
	dob       = "dob"
	birthYear = "birth_year"
	age       = "age"
	ageOn     = "age_on"
	level     = "level"
	events    = "events"
	label     = "label"
	note      = "note"
	paused    = "paused"
	// ignored is a column with a title that is not known. Its values are not looked at.
	ignored = "?"
)

// columns are all that a list may have, as errors name them.
var columns = []string{name, first, middle, last, suffix, county, dob, birthYear, age, ageOn, level, events, label, note, paused}

// parts are the columns that make a name in place of the whole.
var parts = []string{first, middle, last, suffix}

// exports are the titles that exports of other programs have, by the column that they mean.
var exports = map[string][]string{
	name:      {"full name", "defendant", "defendant name", "inmate", "inmate name"},
	first:     {"first name", "given name"},
	middle:    {"middle name", "middle initial"},
	last:      {"last name", "surname", "family name"},
	suffix:    {"name suffix"},
	dob:       {"date of birth", "birth date"},
	birthYear: {"year of birth", "yob"},
	label:     {"group", "tag"},
	note:      {"notes", "comment", "comments"},
}

// meanings are the columns by their squeezed titles.
var meanings = func() map[string]string {
	out := map[string]string{"": ""}
	for _, column := range columns {
		for _, title := range append([]string{column}, exports[column]...) {
			out[squeezed(title)] = column
		}
	}
	return out
}()

// squeezed returns a title without what does not matter in it: case, blanks, underscores, dashes and full stops.
func squeezed(title string) string {
	return strings.NewReplacer(" ", "", "\u00a0", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(strings.TrimSpace(title)))
}

// written are the columns of a list that is written.
var written = []string{name, county, dob, birthYear, age, ageOn, level, events, label, note, paused}

// separators part values, the likeliest first.
var separators = []rune{',', ';', '\t'}

// heading is what the first line says.
type heading struct {
	separator rune
	// titles are as they are written, without blanks around them. at has the column that each means: empty for a title that is
	// empty, whose column has no values.
	titles, at []string
}

// header reads the first line. The separator is the one by which it names most columns.
func header(line string) (*heading, error) {
	var best *heading
	for _, separator := range separators {
		row, err := reader(strings.NewReader(line), separator).Read()
		if err != nil {
			continue
		}
		h := &heading{separator: separator}
		for _, title := range row {
			column, known := meanings[squeezed(title)]
			if !known {
				column = ignored
			}
			h.titles, h.at = append(h.titles, strings.TrimSpace(title)), append(h.at, column)
		}
		if best == nil || h.known() > best.known() || h.known() == best.known() && len(h.at) > len(best.at) {
			best = h
		}
	}
	if best == nil {
		return nil, refused("line 1 cannot be read: it must name the columns, such as name,county,label")
	}
	return best, best.check()
}

// known is how many columns it names.
func (h *heading) known() int {
	n := 0
	for _, column := range h.at {
		if column != "" && column != ignored {
			n++
		}
	}
	return n
}

// check refuses titles by which no name can be read, or that contradict each other.
func (h *heading) check() error {
	of := map[string]string{} // the title of each column
	for i, column := range h.at {
		if column == "" || column == ignored {
			continue
		}
		if other, twice := of[column]; twice {
			return refused("line 1 names the column %s twice, as %.40q and %.40q; keep one of them", column, other, h.titles[i])
		}
		of[column] = h.titles[i]
	}
	whole, isWhole := of[name]
	_, isLast := of[last]
	if !isWhole && !isLast {
		return refused("line 1 names no column name or last: its titles are %s; the columns are %s", quoted(h.titles), strings.Join(columns, ", "))
	}
	for _, part := range parts {
		if title, ok := of[part]; ok && isWhole {
			return refused("line 1 names a whole name, %.40q, beside a part of one, %.40q; take either the whole or all parts out of the file", whole, title)
		}
	}
	return nil
}

// ignored returns the titles of columns that are not known.
func (h *heading) ignored() []string {
	var out []string
	for i, column := range h.at {
		if column == ignored {
			out = append(out, strings.ToValidUTF8(h.titles[i], "\ufffd"))
		}
	}
	return out
}

// IgnoredSays names columns that were not read, in a sentence; it is empty for none.
func IgnoredSays(titles []string) string {
	switch len(titles) {
	case 0:
		return ""
	case 1:
		return "The column " + quoted(titles) + " is not known and was not read."
	}
	return "The columns " + quoted(titles) + " are not known and were not read."
}

// mostTitles is how many titles a message names.
const mostTitles = 20

// quoted lists titles in a message.
func quoted(titles []string) string {
	var out []string
	for _, title := range titles[:min(len(titles), mostTitles)] {
		out = append(out, fmt.Sprintf("%.40q", title))
	}
	if more := len(titles) - mostTitles; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// isName reports whether a column has a name or a part of one.
func isName(column string) bool { return column == name || slices.Contains(parts, column) }

// refused is the error of a file that cannot be read as a list.
func refused(format string, args ...any) error {
	return &models.Error{Code: models.CodeInvalidRequest, Message: fmt.Sprintf(format, args...), Field: "csv"}
}
