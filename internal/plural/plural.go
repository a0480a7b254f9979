// Package plural writes counted things in the sentences of the command line, of run reports and of pages: `1
// row`, `3 rows`. It knows English words that take an s, and plurals that the caller spells out. It is no
// translation.
package plural

import (
	"strconv"
	"strings"
	"time"
)

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

// Span returns a length of time in words: `50 seconds`, `1 hour 30 minutes`. From two minutes on it is whole minutes, and from two days
// on whole hours.
func Span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		d = d.Truncate(time.Hour)
	case d >= 2*time.Minute:
		d = d.Truncate(time.Minute)
	}
	var parts []string
	for _, u := range []struct {
		what string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if n := int(d / u.size); n > 0 {
			parts = append(parts, Of(n, u.what))
			d -= time.Duration(n) * u.size
		}
	}
	if len(parts) == 0 {
		return Of(0, "second")
	}
	return strings.Join(parts, " ")
}
