package value

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// maxYears bounds how many groups of digits of one text are tried, and so the time that a hostile text costs.
const maxYears = 40

// yearsIn returns every year until now that a text which fits no layout may state as a year of birth. Four digits that
// can be a year are the year. Two digits may stand for either century, wherever the digits beside them can be a month
// and a day. never reports that the text is a placeholder date of a database.
func yearsIn(text string, now int) (years []int, never bool) {
	if less := clockPattern.ReplaceAllString(text, " "); digitRuns.MatchString(less) {
		text = less
	}
	groups := digitRuns.FindAllString(text, -1)
	for _, g := range groups {
		switch n, _ := strconv.Atoi(g); {
		case len(g) == 4 && (n <= 1 || 1600 <= n && n <= 1900 || n >= 3000):
			never = true
		case len(g) == 4 && n > 1900 && n <= now:
			years = append(years, n)
		case len(g) > 5:
			years = append(years, gluedYears(g, now)...)
		}
	}
	if never || len(years) > 0 && !glued(groups) || len(groups) > maxYears {
		return years, never
	}
	if len(groups) > 0 {
		years = append(years, serialYear(groups[0], now)...)
		groups = append(unglue(groups[0]), groups[1:]...)
	}
	for i, g := range groups {
		if len(g) == 2 && besides(groups, i, monthName.MatchString(text)) {
			years = append(years, Centuries(g, now)...)
		}
	}
	return years, false
}

// glued reports whether the only digits are those of a whole date without separators, which may be read in several
// ways.
func glued(groups []string) bool { return len(groups) == 1 && len(groups[0]) > 4 }

// gluedYears returns the years of eight digits (more are a time of day) or six that begin or end with the four of a
// year.
func gluedYears(g string, now int) (years []int) {
	if len(g) == 7 {
		g = "0" + g // the nought of the month is lost
	}
	add := func(year, one, other string) {
		if n, err := strconv.Atoi(year); err == nil && n > 1900 && n <= now && monthAndDay(one, other) {
			years = append(years, n)
		}
	}
	if len(g) >= 8 {
		add(g[:4], g[4:6], g[6:8])
		add(g[4:8], g[:2], g[2:4])
		return years
	}
	add(g[:4], g[4:], "1")
	add(g[2:], g[:2], "1")
	return years
}

// unglue splits digits without separators into days, months and years of two digits.
func unglue(g string) []string {
	if len(g) == 5 {
		g = "0" + g
	}
	if len(g) != 4 && len(g) != 6 {
		return []string{g}
	}
	var parts []string
	for ; g != ""; g = g[2:] {
		parts = append(parts, g[:2])
	}
	return parts
}

// serialYear returns the year of a spreadsheet's serial day number, which counts from 30 December 1899.
func serialYear(g string, now int) []int {
	n, err := strconv.Atoi(g)
	if err != nil || len(g) != 5 {
		return nil
	}
	if year := time.Date(1899, 12, 30+n, 0, 0, 0, 0, time.UTC).Year(); year > 1900 && year <= now {
		return []int{year}
	}
	return nil
}

// besides reports whether the group at position but can be a year: it stands first or last, and the others can be a
// month and a day. With more than three groups the answer is yes, since doubt protects.
func besides(groups []string, but int, named bool) bool {
	if len(groups) == 3 && but == 1 {
		return false
	}
	var rest []string
	for i, g := range groups {
		if i != but {
			rest = append(rest, g)
		}
	}
	switch {
	case len(rest) == 1:
		return number(rest[0]) <= 31
	case len(rest) == 2 && named:
		return number(rest[0]) <= 31 && number(rest[1]) <= 31
	case len(rest) == 2:
		return monthAndDay(rest[0], rest[1])
	default:
		return true
	}
}

// monthAndDay reports whether two numbers can be a month and a day in any order. A zero is a part that is not known.
func monthAndDay(one, other string) bool {
	a, b := number(one), number(other)
	return min(a, b) <= 12 && max(a, b) <= 31
}

// number reads digits; what is too long for a number is larger than every month, day and year.
func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return maxText
}

// Centuries returns the years until now that end with two digits.
func Centuries(short string, now int) []int {
	n := number(short)
	if 2000+n <= now {
		return []int{2000 + n, 1900 + n}
	}
	return []int{1900 + n}
}

// YearsBetween returns the whole years from one day in Georgia to a later one, and whether any time is left over.
func YearsBetween(from, to time.Time) (whole int, more bool) {
	a, b := models.DateOf(from.In(models.Georgia)), models.DateOf(to.In(models.Georgia))
	whole = b.Year - a.Year
	if b.Month < a.Month || b.Month == a.Month && b.Day < a.Day {
		whole--
	}
	if whole < 0 {
		return 0, false
	}
	return whole, b.Month != a.Month || b.Day != a.Day
}

// Agrees reports whether a person born in the year can have the age on a day: before or after that year's birthday.
func Agrees(year, age int, at time.Time) bool {
	turns := models.DateOf(at.In(models.Georgia)).Year - year
	return turns == age || turns == age+1
}

// Birth is what a text that fits no layout of the document may say of a birth. It protects the young, and
// publishes nobody.
type Birth struct {
	// Years are those that the text may state.
	Years []int
	// Youth reports whether it calls the person young.
	Youth bool
	// Odd reports whether it may state any day, also that of a child's birth.
	Odd bool
	// Hint reports whether something in it resembles the age of a child.
	Hint bool
}

// ReadBirth reads such a text; now is the present year. A text that means "unknown" returns the zero value.
func ReadBirth(text string, now int) (b Birth) {
	upper := strings.ToUpper(text)
	if saysNothing(upper) {
		return b
	}
	young, doubt := youth(upper)
	years, never := yearsIn(text, now)
	return Birth{Years: years, Youth: young, Odd: !never && (len(years) == 0 || doubt), Hint: doubt || childlike(upper)}
}

var (
	clockPattern = regexp.MustCompile(`(?i)\b\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?`)
	monthName    = regexp.MustCompile(`(?i)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)`)
)
