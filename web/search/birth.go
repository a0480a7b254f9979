package search

import (
	"strconv"

	"rollcall/models"
)

// birth is when somebody was born: a year, or else a day.
type birth struct {
	year int
	day  *models.Date
}

// birthOf reads a word that is a year of birth such as 1995, or a date such as 01/26/1995. What was before 1900 is another number.
func birthOf(word string) (birth, bool) {
	typed, err := models.ReadBirth(word)
	switch {
	case err != nil:
	case typed.Year != nil && inReach(*typed.Year):
		return birth{year: *typed.Year}, true
	case typed.Day != nil && inReach(typed.Day.Year):
		return birth{day: typed.Day}, true
	}
	return birth{}, false
}

func inReach(year int) bool { return year >= 1900 && year < 2100 }

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
