// Package plural writes counted things in the sentences of the command line, of run reports and of pages: `1 row`, `3 rows`. It
// knows English words that take an s, and those that the caller spells out; it is no translation.
package plural

import "strconv"

// Of is n of a thing: `1 row`, `0 rows`. Several are called what+"s", or many where that is told
// (`Of(2, "entry", "entries")`).
func Of(n int, what string, many ...string) string {
	return strconv.Itoa(n) + " " + Word(n, what, many...)
}

// Word is the thing alone, as it is called where n of it are spoken of.
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
