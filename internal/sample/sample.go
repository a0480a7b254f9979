// Package sample renders docs/samples.md: the first requests of an integrator in seven languages, from one table of requests
// and one template a language. client/day runs them against a service.
package sample

import (
	"embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

var texts = template.Must(template.New("").Funcs(template.FuncMap{"query": query}).ParseFS(files, "*.tmpl"))

// Request is one of the requests that every language makes.
type Request struct {
	// Title is its heading, and About what it does.
	Title, About string
	// Method and Path are below the base address. Body is JSON, empty for none.
	Method, Path, Body string
	// Base is the address that the program names, ending in /v1; empty: it reads ROLLCALL_URL.
	Base string
	// Follow makes it two, each with all its pages: the second asks for what changed since the first.
	Follow bool
	// Answer is a part of every answer to it.
	Answer string
}

// Requests are the requests in the order of the document.
func Requests() []Request {
	return []Request{
		{Title: "List bookings", About: "Who is booked in a county, newest first. `Link` has the address of the next page.", Method: "GET", Path: "/roster?county=hall&status=booked&limit=2", Answer: `"records":`},
		{Title: "Follow changes", About: "All pages of a list, and then what changed since. `Link` leads from page to page. Store the `X-Data-As-Of` of the first page, and ask again with it every minute or so. A 429 says in `Retry-After` how many seconds to wait.", Method: "GET", Path: "/roster?limit=200", Follow: true, Answer: `"total":`},
		{Title: "Create an alert", About: "An event comes when this person is booked or released. A repetition with the same `Idempotency-Key` creates nothing twice.", Method: "POST", Path: "/alerts", Body: `{"name": "Jane Ann Doe", "county": "hall", "events": ["booking", "release"]}`, Answer: `"id":"alrt_`},
		{Title: "Register a webhook", About: "Events are posted to this address. [The webhook guide](webhooks.md) has the code that verifies them, in seven languages too.", Method: "POST", Path: "/webhooks", Body: `{"url": "https://hooks.example.org/rollcall", "events": ["booking", "release"]}`, Answer: `"id":"wh_`},
	}
}

// Language is one of those that the samples are in.
type Language struct {
	// Name is its heading, and Mark that of its code in Markdown.
	Name, Mark string
	// File is the name of a program, and Run the command that runs it.
	File string
	Run  []string

	template string
}

// Languages are the languages in the order of the document.
func Languages() []Language {
	return []Language{
		{Name: "curl", Mark: "sh", File: "sample.sh", Run: []string{"bash"}, template: "curl.tmpl"},
		{Name: "Go", Mark: "go", File: "sample.go", Run: []string{"go", "run"}, template: "go.tmpl"},
		{Name: "Python", Mark: "python", File: "sample.py", Run: []string{"python3"}, template: "python.tmpl"},
		{Name: "JavaScript", Mark: "js", File: "sample.mjs", Run: []string{"node"}, template: "javascript.tmpl"},
		{Name: "Ruby", Mark: "ruby", File: "sample.rb", Run: []string{"ruby"}, template: "ruby.tmpl"},
		{Name: "PHP", Mark: "php", File: "sample.php", Run: []string{"php"}, template: "php.tmpl"},
		{Name: "Java", Mark: "java", File: "Sample.java", Run: []string{"java"}, template: "java.tmpl"},
	}
}

// Program returns a whole program that makes a request. It reads ROLLCALL_URL, which ends in /v1, unless r.Base is set, and
// ROLLCALL_KEY. Quotes, backslashes and dollar signs would end the texts of a program early, so they are an error.
func (l Language) Program(r Request) (string, error) {
	if strings.ContainsAny(r.Base+r.Path, "'\"`\\$") || strings.ContainsAny(r.Body, "'`\\$") {
		return "", fmt.Errorf("write sample of %s %s: a quote, backslash or dollar sign is in it", r.Method, r.Path)
	}
	var b strings.Builder
	if err := texts.ExecuteTemplate(&b, l.template, r); err != nil {
		return "", fmt.Errorf("write sample in %s: %w", l.Name, err)
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}

// Document returns docs/samples.md.
func Document() (string, error) {
	var b strings.Builder
	b.WriteString("# Samples\n\nThe first requests of an integrator in seven languages, without a library. Each is a whole program, which CI runs. `ROLLCALL_URL`\n" +
		"is the address of the service, `https://records.example/v1`, and `ROLLCALL_KEY` an API key. [Clients](clients.md) for Go and TypeScript do more.\n")
	for _, r := range Requests() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", r.Title, r.About)
		for _, l := range Languages() {
			program, err := l.Program(r)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "\n### %s: %s\n\n```%s\n%s```\n", r.Title, l.Name, l.Mark, program)
		}
	}
	return b.String(), nil
}

// query returns what goes between a path and one parameter more.
func query(path string) string {
	if strings.Contains(path, "?") {
		return "&"
	}
	return "?"
}
