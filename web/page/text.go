package page

import (
	"crypto/rand"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"rollcall/internal/plural"
	"rollcall/internal/static"
	"rollcall/models"
)

// funcs returns what templates may call.
func funcs(a *static.Files) template.FuncMap {
	return template.FuncMap{
		"asset": a.Address, "when": When, "machine": machine, "ago": ago, "lasting": lasting, "spell": spell,
		"count": Count, "percent": percent, "browser": browser, "sum": sum,
		"plural": Counted, "things": plural.Word, "token": rand.Text, "sentence": saying,
		"icon": func(name string) template.HTML { return iconOf(a.Address("icons.svg"), name) }, "calm": calmed, "calmname": calmedName,
	}
}

// When returns a moment in Georgia's time, and a dash for nil. Exactly midnight is shown as a
// day, because the source stated no time.
func When(t any) string {
	m, ok := moment(t)
	if !ok {
		return "–"
	}
	m = m.In(models.Georgia)
	if m.Equal(time.Date(m.Year(), m.Month(), m.Day(), 0, 0, 0, 0, models.Georgia)) {
		return m.Format("Jan 2, 2006")
	}
	return m.Format("Jan 2, 2006, 3:04 PM")
}

// machine returns a moment for the attribute datetime.
func machine(t any) string {
	m, _ := moment(t)
	return m.UTC().Format(time.RFC3339)
}

// moment returns the time that a template passed, and whether there is one.
func moment(t any) (time.Time, bool) {
	switch t := t.(type) {
	case time.Time:
		return t, !t.IsZero()
	case *time.Time:
		if t != nil {
			return *t, true
		}
	}
	return time.Time{}, false
}

// ago returns the time since t in one unit, rounded down: "2 minutes ago", "in 1 hour".
func ago(now time.Time, t any) template.HTML {
	m, ok := moment(t)
	switch d := now.Sub(m); {
	case !ok:
		return "never"
	case d < 0:
		return aging("ago", m, "in "+Span(-d))
	case d < time.Minute:
		return aging("ago", m, "just now")
	default:
		return aging("ago", m, Span(d)+" ago")
	}
}

// lasting returns the time since t in one unit, for what goes on still: "2 minutes".
func lasting(now time.Time, t any) template.HTML {
	m, ok := moment(t)
	if !ok {
		return "never read"
	}
	return aging("for", m, Span(now.Sub(m)))
}

// aging returns words about a moment that static/ages.js renews while the page stays open.
func aging(kind string, m time.Time, words string) template.HTML {
	return template.HTML( //nolint:gosec // made of times and words of ours
		`<time datetime="` + machine(m) + `" data-age="` + kind + `" title="` + When(m) + `">` + words + `</time>`)
}

// Span returns a length of time in its largest unit.
func Span(d time.Duration) string {
	units := []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}}
	for _, u := range units {
		if n := int(d / u.size); n > 0 {
			return Counted(n, u.name)
		}
	}
	return "less than a minute"
}

// spell returns a length of time in all of its units: "1 hour 30 minutes".
func spell(d time.Duration) string {
	var parts []string
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if n := int(d / u.size); n > 0 {
			parts = append(parts, Counted(n, u.name))
			d -= time.Duration(n) * u.size
		}
	}
	return strings.Join(parts, " ")
}

// Counted returns a number of things, with separators: "1,204 rows". many is the plural where
// adding s is wrong.
func Counted(n int, what string, many ...string) string {
	return Count(n) + " " + plural.Word(n, what, many...)
}

// Count returns a number with separators.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent returns part of whole, from 0 to 100, with at most one decimal.
func percent(part, whole int) string {
	if whole == 0 {
		return "0"
	}
	return strconv.FormatFloat(math.Round(1000*float64(part)/float64(whole))/10, 'f', -1, 64)
}

// browser returns the program and system that a User-Agent header names, if they are well-known
// ones. It is for people who look for a session that is not theirs, so an unknown one is called
// that.
func browser(agent string) string {
	known := func(names ...string) string {
		for _, n := range names {
			mark, name, _ := strings.Cut(n, "=")
			if strings.Contains(agent, mark) {
				return name
			}
		}
		return ""
	}
	program := known("Edg/=Edge", "OPR/=Opera", "Firefox/=Firefox", "HeadlessChrome/=Chromium", "Chrome/=Chrome", "Safari/=Safari", "curl/=curl")
	system := known("Windows=Windows", "iPhone=iPhone", "iPad=iPad", "Android=Android", "Mac OS X=macOS", "CrOS=ChromeOS", "Linux=Linux")
	switch {
	case program == "":
		return "An unknown browser"
	case system == "":
		return program
	}
	return program + " on " + system
}

// saying returns a note as a sentence; nil is none.
func saying(note *string) string {
	if note == nil {
		return ""
	}
	return Sentence(*note)
}

// sum adds in templates.
func sum(a, b int) int { return a + b }
