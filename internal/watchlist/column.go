package watchlist

import (
	"fmt"
	"slices"
	"strings"

	"rollcall/models"
)

// The columns. A list has name, or last with first and middle.
const (
	name      = "name"
	first     = "first"
	middle    = "middle"
	last      = "last"
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
)

// columns are all that a list may have, as errors name them.
var columns = []string{name, first, middle, last, county, dob, birthYear, age, ageOn, level, events, label, note, paused}

// written are the columns of a list that is written.
var written = []string{name, county, dob, birthYear, age, ageOn, level, events, label, note, paused}

// separators part values, the likeliest first.
var separators = []rune{',', ';', '\t'}

// header finds what parts the values of the first line, and which column stands where. An empty title is a column without
// values.
func header(line string) (separator rune, at []string, err error) {
	for _, separator := range separators {
		if at, err := titles(line, separator); err == nil {
			return separator, at, nil
		}
	}
	// The mistake is told for the separator that the line has most of.
	most := slices.MaxFunc(separators, func(a, b rune) int {
		return strings.Count(line, string(a)) - strings.Count(line, string(b))
	})
	_, err = titles(line, most)
	return 0, nil, err
}

// titles reads the titles of the first line.
func titles(line string, separator rune) ([]string, error) {
	row, err := reader(strings.NewReader(line), separator).Read()
	if err != nil {
		return nil, refused("line 1 cannot be read: it must name the columns, such as name,county,label")
	}
	seen := map[string]bool{}
	for i, title := range row {
		row[i] = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(title)))
		switch {
		case row[i] == "":
		case !slices.Contains(columns, row[i]):
			return nil, refused("line 1 names the column %.40q, which is not known; the columns are %s", title, strings.Join(columns, ", "))
		case seen[row[i]]:
			return nil, refused("line 1 names the column %s twice; keep one of them", row[i])
		}
		seen[row[i]] = true
	}
	switch {
	case !seen[name] && !seen[last]:
		return nil, refused("line 1 names no column name or last; the columns are %s", strings.Join(columns, ", "))
	case seen[name] && (seen[first] || seen[middle] || seen[last]):
		return nil, refused("line 1 names the column name beside first, middle or last; keep the whole name or its parts")
	}
	return row, nil
}

// refused is the error of a file that cannot be read as a list.
func refused(format string, args ...any) error {
	return &models.Error{Code: models.CodeInvalidRequest, Message: fmt.Sprintf(format, args...), Field: "csv"}
}
