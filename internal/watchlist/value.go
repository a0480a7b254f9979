package watchlist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// parsed makes a watcher of the values of a line by their columns. The problem has no line yet.
func parsed(v map[string]string) (*models.NewWatcher, *Problem) {
	w := &models.NewWatcher{Name: v[name], County: given(v[county]), Label: given(v[label]), Note: given(v[note])}
	if w.Name == "" {
		w.Name = whole(v)
	}
	if w.Name == "" {
		return nil, &Problem{Field: name, Message: "the name is empty; write one, or remove the line"}
	}
	if bad := birth(w, v); bad != nil {
		return nil, bad
	}
	if text := v[level]; text != "" {
		l := models.MatchLevel(strings.ToLower(text))
		w.Level = &l
	}
	if text := v[events]; text != "" {
		w.Events = kinds(text)
	}
	switch strings.ToLower(v[paused]) {
	case "", "no", "false", "0":
	case "yes", "true", "1":
		w.Paused = true
	default:
		return nil, &Problem{Field: paused, Message: fmt.Sprintf("the column paused holds %.40q, which is neither yes nor no", v[paused])}
	}
	return w, nil
}

// birth reads what is known of a birth. The problem has no line yet.
func birth(w *models.NewWatcher, v map[string]string) *Problem {
	for column, to := range map[string]**models.Date{dob: &w.Dob, ageOn: &w.AgeOn} {
		if text := v[column]; text != "" {
			d, ok := date(text)
			if !ok {
				says := fmt.Sprintf("the column %s holds %.40q, which is not a date; write 1990-02-28 or 02/28/1990", column, text)
				if column == dob {
					says += "; a year alone stands in the column " + birthYear
				}
				return &Problem{Field: column, Message: says}
			}
			*to = &d
		}
	}
	for column, to := range map[string]**int{birthYear: &w.BirthYear, age: &w.Age} {
		if text := v[column]; text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				return &Problem{Field: column, Message: fmt.Sprintf("the column %s holds %.40q, which is not a whole number", column, text)}
			}
			*to = &n
		}
	}
	return nil
}

// whole makes a name of its parts, the last name first: so a last name of several words stays one.
func whole(v map[string]string) string {
	given := together(v[first], v[middle])
	if given == "" || v[last] == "" {
		return together(given, v[last], v[suffix])
	}
	return v[last] + ", " + together(given, v[suffix])
}

// together puts a blank between parts that are there.
func together(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// kinds reads events that commas, semicolons, bars or blanks part. Unknown words are left for the check of a watcher.
func kinds(text string) *[]models.EventKind {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;| ", r) })
	out := make([]models.EventKind, len(words))
	for i, word := range words {
		out[i] = models.EventKind(strings.ToLower(word))
	}
	return &out
}

// date reads a day as ISO 8601 or as it is written in the United States.
func date(text string) (models.Date, bool) {
	if d, err := models.ParseDate(text); err == nil {
		return d, true
	}
	t, err := time.Parse("1/2/2006", text)
	return models.DateOf(t), err == nil
}

// given returns a value, or nil for none.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// runs are what a spreadsheet takes for the start of a formula.
const runs = "=+-@\t\r"

// harmless returns a value that no spreadsheet runs.
func harmless(v string) string {
	if startsFormula(v) {
		return "'" + v
	}
	return v
}

// bare takes the apostrophe of harmless away.
func bare(v string) string {
	if strings.HasPrefix(v, "'") && startsFormula(v) {
		return v[1:]
	}
	return v
}

// startsFormula reports whether a value begins as a formula does, or would once apostrophes before it are taken away.
func startsFormula(v string) bool {
	v = strings.TrimLeft(v, "'")
	return v != "" && strings.IndexByte(runs, v[0]) >= 0
}

// harmlessAll returns the values of a line that no spreadsheet runs, in their place.
func harmlessAll(values []string) []string {
	for i, v := range values {
		values[i] = harmless(v)
	}
	return values
}
