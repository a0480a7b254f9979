package mapping

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"rollcall/models"
)

// maxYears bounds the readings of one text.
const maxYears = 40

// yearsIn gives every year until now that a text which no layout fits may name as one of birth; none where it names
// none. Four digits that can be a year are the year. Two digits may stand for either century, wherever what stands
// beside them can be a month and a day. never tells that it is a date which stands for no date, as databases have one.
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
			years = append(years, centuries(g, now)...)
		}
	}
	return years, false
}

// glued tells whether the only digits are those of a whole date without signs, which may be read in several ways.
func glued(groups []string) bool { return len(groups) == 1 && len(groups[0]) > 4 }

// gluedYears gives the years of eight digits (more are a time of day) or six that begin or end with four of a year.
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

// unglue takes digits without signs apart where they may be days, months and years of two digits.
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

// serialYear gives the year of the number that a sheet has for a day.
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

// besides tells whether one of the groups can be a year: it stands first or last, and the others can be a month and a
// day. Of more than three nobody knows.
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

// monthAndDay tells whether two numbers can be a month and a day, in any order; a nought is one that is not known.
func monthAndDay(one, other string) bool {
	a, b := number(one), number(other)
	return min(a, b) <= 12 && max(a, b) <= 31
}

func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return maxText
}

// centuries gives the years until now that end with two digits.
func centuries(short string, now int) []int {
	n := number(short)
	if 2000+n <= now {
		return []int{2000 + n, 1900 + n}
	}
	return []int{1900 + n}
}

// agrees tells whether somebody born in the year can be of the age on a day.
func agrees(year, age int, at time.Time) bool {
	turns := models.DateOf(at.In(models.Georgia)).Year - year
	return turns == age || turns == age+1
}

// oddBirth notes what a text that no layout fits may say of a birth.
func (b *birth) oddBirth(text string, now int) {
	upper := strings.ToUpper(text)
	if saysNothing(upper) {
		return
	}
	young, doubt := youth(upper)
	b.youth = b.youth || young
	b.hint = b.hint || doubt || childlike(upper)
	years, never := yearsIn(text, now)
	b.years = append(b.years, years...)
	b.oddDay = b.oddDay || !never && (len(years) == 0 || doubt)
}

var (
	clockPattern = regexp.MustCompile(`(?i)\b\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?`)
	monthName    = regexp.MustCompile(`(?i)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)`)
)
