// Package plural writes counted things in the sentences of the command line, of run reports and of pages: `1
// row`, `3 rows`. It knows English words that take an s, and plurals that the caller spells out. It is no
// translation.
package plural

import "strconv"

// Of returns n of a thing: `1 row`, `0 rows`. The plural is what+"s", or many if it is given (`Of(2, "entry",
// "entries")`).
func Of(n int, what string, many ...string) string {
	return strconv.Itoa(n) + " " + Word(n, what, many...)
}

// Word returns the thing alone, in the form that n of it take.
func Word(n int, what string, many ...string) string {
	switch {
	case n == 1:
		return what
	case len(many) > 0:
		return many[0]
	default:
		return what + "s"
	}
}
