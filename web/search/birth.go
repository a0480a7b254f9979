package search

import (
	"regexp"
	"strconv"
	"time"

	"rollcall/models"
)

// birth is when somebody was born: a year, or else a day.
type birth struct {
	year int
	day  *models.Date
}

var birthYear = regexp.MustCompile(`^(19|20)\d\d$`)

// birthLayouts are how a date of birth is typed: month, day and year as Americans write them, or the year first.
var birthLayouts = []string{"1/2/2006", "1-2-2006", "1.2.2006", time.DateOnly}

// birthOf reads a word that is a year of birth such as 1995, or a date such as 01/26/1995.
func birthOf(word string) (birth, bool) {
	if birthYear.MatchString(word) {
		year, err := strconv.Atoi(word)
		return birth{year: year}, err == nil
	}
	for _, layout := range birthLayouts {
		if t, err := time.Parse(layout, word); err == nil && birthYear.MatchString(strconv.Itoa(t.Year())) {
			day := models.DateOf(t)
			return birth{day: &day}, true
		}
	}
	return birth{}, false
}

// String returns the birth as the form of an alert takes it; an unknown one is empty.
func (b birth) String() string {
	switch {
	case b.day != nil:
		return b.day.String()
	case b.year > 0:
		return strconv.Itoa(b.year)
	}
	return ""
}
