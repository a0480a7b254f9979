package status

import (
	"html/template"
	"strconv"
	"time"

	"rollcall/web/words"
)

// table is a table of sources, with the moment that ages count from.
type table struct {
	Sources []Source
	Now     time.Time
	Label   string
}

// Funcs returns what the templates of this package call beside the functions of all pages.
func Funcs(l *words.Language) template.FuncMap {
	return template.FuncMap{
		"rows":    func(all []Source, now time.Time, label string) table { return table{all, now, label} },
		"seconds": func(s *float64) string { return seconds(s).In(l) },
		"waited":  func(n int) string { return words.Span(time.Duration(n) * time.Second).In(l) },
	}
}

// seconds returns a number of seconds in words: "0.4 seconds", or minutes from two of them on.
func seconds(s *float64) words.Text {
	if *s >= 120 {
		return words.Span(time.Duration(*s) * time.Second)
	}
	return words.T("{1} seconds", strconv.FormatFloat(max(*s, 0), 'f', 1, 64))
}
