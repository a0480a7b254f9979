package alert

import (
	"slices"
	"strconv"
	"strings"

	"rollcall/match"
	"rollcall/models"
)

// Key returns what is the same for two watchers that ask for the same person: by the name without accents, capitals and marks,
// with the surname last, the county and what is known of the birth. An import folds watchers of one key.
func Key(w *models.Watcher) string {
	parts := []string{match.Fold(surnameLast(w.Name)), "", ""}
	if w.County != nil {
		parts[1] = w.County.Slug
	}
	switch { // an age is that of a year, so that a list may be imported again on another day
	case w.Age != nil && w.AgeOn != nil && w.Dob == nil && w.BirthYear == nil:
		parts[2] = "about " + strconv.Itoa(w.AgeOn.Year-*w.Age)
	case w.Dob != nil:
		parts[2] = w.Dob.String()
	case w.BirthYear != nil:
		parts[2] = strconv.Itoa(*w.BirthYear)
	}
	return strings.Join(parts, "\x00")
}

// WordsKey returns Key with the words of the name in no order. Two watchers that have it alike may still ask for two people, James
// Thomas and Thomas James: nothing is folded by it.
func WordsKey(w *models.Watcher) string {
	name, rest, _ := strings.Cut(Key(w), "\x00")
	words := strings.Fields(name)
	slices.Sort(words)
	return strings.Join(words, " ") + "\x00" + rest
}

// suffixes are what may follow a comma without being the rest of a name.
var suffixes = []string{"jr", "sr", "ii", "iii", "iv", "v"}

// surnameLast returns a name of the form LAST, FIRST as FIRST LAST, and any other as it is. Without a comma nothing says
// which word is the surname.
func surnameLast(name string) string {
	last, first, ok := strings.Cut(name, ",")
	if !ok || strings.Contains(first, ",") || match.Fold(first) == "" || slices.Contains(suffixes, match.Fold(first)) {
		return name
	}
	return first + " " + last
}
