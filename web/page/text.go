package page

import (
	"crypto/rand"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"

	"rollcall/internal/plural"
	"rollcall/internal/static"
	"rollcall/models"
	"rollcall/web/words"
)

// funcs returns what templates of a language may call.
func funcs(a *static.Files, l *words.Language) template.FuncMap {
	return template.FuncMap{
		"asset": a.Address, "machine": machine, "count": words.Count, "percent": percent, "sum": sum, "token": rand.Text, "sentence": func(note *string) string { return saying(note, l) },
		"when":    func(t any) string { return words.When(t).In(l) },
		"minute":  func(t time.Time) string { return words.Minute(t).In(l) },
		"ago":     func(now time.Time, t any) template.HTML { return ago(now, t, l) },
		"lasting": func(now time.Time, t any) template.HTML { return lasting(now, t, l) },
		"spell":   func(d time.Duration) string { return words.Spell(d).In(l) },
		"browser": func(agent string) string { return browser(agent).In(l) },
		"plural":  counted, "things": plural.Word,
		"say":   func(v any) any { return said(v, l) },
		"actor": func(who string) string { return words.Actor(who).In(l) },
		"word":  func(w any) string { return l.Find(fmt.Sprint(w), "") }, "said": func(s any) string { return retold(s, l) },
		"icon": func(name string) template.HTML { return iconOf(a.Address("icons.svg"), name) }, "calm": calmed, "calmname": calmedName,
		"calmterm": func(text string) template.HTML { return calmedTerm(text, l) },
	}
}

// said returns a value as a template of a language prints it.
func said(v any, l *words.Language) any {
	if t, ok := v.(words.Local); ok {
		return t.In(l)
	}
	return v
}

// machine returns a moment for the attribute datetime.
func machine(t any) string {
	m, _ := words.Moment(t)
	return m.UTC().Format(time.RFC3339)
}

// ago returns the time since t in one unit, rounded down: "2 minutes ago", "in 1 hour".
func ago(now time.Time, t any, l *words.Language) template.HTML {
	m, ok := words.Moment(t)
	if !ok {
		return template.HTML(template.HTMLEscapeString(words.T("never").In(l))) //nolint:gosec // escaped
	}
	return aging("ago", m, words.Ago(now.Sub(m)), l)
}

// lasting returns the time since t in one unit, for what goes on still: "2 minutes".
func lasting(now time.Time, t any, l *words.Language) template.HTML {
	m, ok := words.Moment(t)
	if !ok {
		return template.HTML(template.HTMLEscapeString(words.T("never read").In(l))) //nolint:gosec // escaped
	}
	return aging("for", m, words.Span(now.Sub(m)), l)
}

// aging returns words about a moment that static/ages.js renews while the page stays open.
func aging(kind string, m time.Time, age words.Text, l *words.Language) template.HTML {
	return template.HTML( //nolint:gosec // made of times and words of ours
		`<time datetime="` + machine(m) + `" data-age="` + kind + `" title="` + words.When(m).In(l) + `">` + age.In(l) + `</time>`)
}

// counted returns a number of things, with separators: "1,204 rows". many is the plural where adding s is wrong.
func counted(n int, what string, many ...string) string {
	return words.Count(n) + " " + plural.Word(n, what, many...)
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
func browser(agent string) words.Text {
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
		return words.T("An unknown browser")
	case system == "":
		return words.Plain(program)
	}
	return words.T("{1} on {2}", program, system)
}

// retold returns what the service says in English to programs too, a text or a note, in a language.
func retold(s any, l *words.Language) string {
	if note, ok := s.(*string); ok {
		s = models.EmptyIfNil(note)
	}
	return words.Said(fmt.Sprint(s)).In(l)
}

// saying returns a note as a sentence; nil is none.
func saying(note *string, l *words.Language) string {
	if note == nil {
		return ""
	}
	return Sentence(words.Said(*note).In(l))
}

// sum adds in templates.
func sum(a, b int) int { return a + b }
