package models

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// TypedBirth is what a person types of a birth: a day, a year or an age. Of the three at most one is there.
type TypedBirth struct {
	Day       *Date
	Year, Age *int
}

// The errors of a field with a birth. Whether a year or an age can be true is decided by package alert.
var (
	errNotBorn = InvalidBody("born", "write a birth date such as 10/28/1995, a year such as 1995, or an age such as “aged 34”")
	errNoDay   = InvalidBody("born", "there is no such day: write the month first, such as 10/28/1995")
	errShort   = InvalidBody("born", "write the year with four digits, such as 5/6/1985")
)

var (
	typedAge  = regexp.MustCompile(`^(?i:(aged?) )?(\d{1,3})(?i:( years?| years? old| años))?$`)
	typedYear = regexp.MustCompile(`^\d{4}$`)
	shortDay  = regexp.MustCompile(`^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}$`)
	typedDay  = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$`)
)

// dayLayouts are how a date of birth is typed: the month first as Americans write it, or the year first.
var dayLayouts = []string{"1/2/2006", "1-2-2006", "1.2.2006", time.DateOnly, "Jan 2, 2006", "Jan 2 2006", "January 2, 2006", "January 2 2006", "2 Jan 2006"}

// A bare number from firstYear on, or one that begins with 0, is as often the end of a year as an age.
const firstYear = 60

// AsTyped returns a day as Americans type it, such as 5/6/1985; ReadBirth reads it.
func (d Date) AsTyped() string {
	return strconv.Itoa(int(d.Month)) + "/" + strconv.Itoa(d.Day) + "/" + strconv.Itoa(d.Year)
}

// ReadBirth reads what a person types of a birth; the search and the forms of alerts read it so.
func ReadBirth(text string) (TypedBirth, error) {
	text = strings.Join(strings.Fields(text), " ")
	age := typedAge.FindStringSubmatch(text)
	switch {
	case text == "":
		return TypedBirth{}, nil
	case age != nil:
		n, _ := strconv.Atoi(age[2]) // of three digits
		if bare := age[1]+age[3] == ""; bare && len(age[2]) == 2 && (n >= firstYear || n < 10) {
			return TypedBirth{}, yearOrAge(n)
		}
		return TypedBirth{Age: &n}, nil
	case typedYear.MatchString(text):
		n, _ := strconv.Atoi(text) // of four digits
		return TypedBirth{Year: &n}, nil
	}
	for _, layout := range dayLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return TypedBirth{Day: new(DateOf(t))}, nil
		}
	}
	if shortDay.MatchString(text) {
		return TypedBirth{}, errShort
	}
	if typedDay.MatchString(text) {
		return TypedBirth{}, errNoDay
	}
	return TypedBirth{}, errNotBorn
}

// yearOrAge is the error of a number that can be either; it says how to write each.
func yearOrAge(n int) error {
	year := 1900 + n
	if n < firstYear {
		year = 2000 + n
	}
	return InvalidBody("born", "write "+strconv.Itoa(year)+" for a year of birth, or “aged "+strconv.Itoa(n)+"” for an age")
}
