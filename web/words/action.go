package words

import (
	"regexp"
	"strconv"
	"strings"
)

var control = regexp.MustCompile(`^\{\{-?\s*(?:if|else|end|range|with|define|block|template|break|continue|icon|/\*|\$\w+\s*:?=)`)

// prints reports whether an action prints a value.
func prints(a string) bool { return !control.MatchString(a) }

// counts are actions whose words depend on a number.
var counts = regexp.MustCompile(`^\{\{(plural|things) ([^"]+?) "([^"]*)"(?: "([^"]*)")?\}\}$`)

// placeOf returns the place of an action in its message.
func placeOf(n int, a string) string {
	m := counts.FindStringSubmatch(a)
	if m == nil {
		return "{" + strconv.Itoa(n) + "}"
	}
	between, many := " ", m[4]
	if m[1] == "things" {
		between = "|"
	}
	if many == "" {
		many = m[3] + "s"
	}
	return "{" + strconv.Itoa(n) + between + m[3] + "|" + many + "}"
}

// quoted are the literals of an action.
var quoted = regexp.MustCompile(`"([^"\\]*)"`)

// looks reports whether a literal looks like English: it has a space, or begins like a sentence.
var looks = regexp.MustCompile(`^[A-Z][a-z]|[A-Za-z] [A-Za-z]`)

// literals returns the messages among the literals of an action. Those of plural and things belong to the message around it.
func literals(a string) []string {
	if counts.MatchString(a) {
		return nil
	}
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(a, -1) {
		if looks.MatchString(m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// translated returns an action with its literals in a language, which prints values in it too.
func translated(a string, l *Language, file string) string {
	if !counts.MatchString(a) {
		a = quoted.ReplaceAllStringFunc(a, func(q string) string {
			if s := q[1 : len(q)-1]; looks.MatchString(s) {
				return strconv.Quote(l.Find(s, file))
			}
			return q
		})
	}
	if prints(a) && l != English {
		return "{{say (" + strings.Trim(a, "{}") + ")}}"
	}
	return a
}
