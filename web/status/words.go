package status

import (
	"html/template"
	"strconv"
	"time"

	"rollcall/web/page"
)

// table is a table of sources, with the moment that ages count from.
type table struct {
	Sources []Source
	Now     time.Time
	Label   string
}

// Funcs returns what the templates of this package call beside the functions of all pages.
func Funcs() template.FuncMap {
	return template.FuncMap{
		"rows":    func(all []Source, now time.Time, label string) table { return table{all, now, label} },
		"seconds": seconds,
		"waited":  func(n int) string { return page.Span(time.Duration(n) * time.Second) },
	}
}

// seconds returns a number of seconds in words: "0.4 seconds", or minutes from two of them on.
func seconds(s *float64) string {
	if *s >= 120 {
		return page.Span(time.Duration(*s) * time.Second)
	}
	return strconv.FormatFloat(max(*s, 0), 'f', 1, 64) + " seconds"
}
