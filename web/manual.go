package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"rollcall/web/page"
)

// guidePages are the guides in their order, with the last part of the address.
var guidePages = []struct {
	name string
	page.View
}{
	{"webhooks", page.View{Title: "Webhook guide", About: "How to receive rollcall’s webhooks, and verify and replay them."}},
	{"graphql", page.View{Title: "GraphQL guide", About: "How to ask rollcall over GraphQL: keys, cost and limits, errors and subscriptions."}},
	{"clients", page.View{Title: "Clients", About: "The Go and TypeScript clients of rollcall."}},
	{"samples", page.View{Title: "Samples", About: "Requests to rollcall in seven languages."}},
}

// manual routes the pages for people who write programs. Anybody may read them, as they hold no
// records.
func (s *Site) manual(r chi.Router) error {
	for _, g := range guidePages {
		g.Script, g.Body = "guide", s.guides[g.name]
		r.Get("/docs/"+g.name, s.manualPage("guide", g.View))
	}
	r.Get("/docs/vectors.json", manualFile(s.Vectors))
	return s.reference(r)
}

// manualFile returns the handler of JSON that anybody may read.
func manualFile(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text)
	}
}

// exampleRoot stands in the guides for the public address of the service. Their pages have that address in its place.
const exampleRoot = "https://records.example"

// guide is a text in Markdown as the page shows it.
type guide struct {
	Text  template.HTML
	Parts []guidePart
}

// guidePart is a heading that the list of contents leads to.
type guidePart struct {
	ID, Title string
	// It belongs below the heading before it.
	Sub bool
}

var (
	guideHeading  = regexp.MustCompile(`<h([23]) id="([^"]+)">(.*?)</h[23]>`)
	guideServed   = regexp.MustCompile(`<a href="(webhooks|graphql|clients|samples)\.md(#[^"]*)?">`)
	guideNeighbor = regexp.MustCompile(`<a href="[^"/#:][^":]*">(.*?)</a>`)
	guideSettings = regexp.MustCompile(`<code>(/settings/[a-z/]+)</code>`)
	guideTag      = regexp.MustCompile(`<[^>]*>`)
	guideTable    = regexp.MustCompile(`(?s)<table>.*?</table>`)
)

// guideRoles name the elements of tables. On a phone they are laid out as blocks, and some
// browsers then forget what they are.
var guideRoles = strings.NewReplacer("<table>", `<table role="table">`, "<thead>", `<thead role="rowgroup">`, "<tbody>", `<tbody role="rowgroup">`,
	"<tr>", `<tr role="row">`, "<th>", `<th role="columnheader">`, "<td>", `<td role="cell">`)

// newGuide renders our own Markdown. What is wide scrolls by itself and can be reached by
// keyboard. A link to another guide leads to its page. A link to another file of the repository becomes
// plain text, as that file is not served.
func newGuide(markdown string) (*guide, error) {
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	if err := md.Convert([]byte(markdown), &b); err != nil {
		return nil, fmt.Errorf("read a guide: %w", err)
	}
	text := guideServed.ReplaceAllString(b.String(), `<a href="/docs/$1$2">`)
	text = strings.ReplaceAll(text, `<a href="vectors.json">`, `<a href="/docs/vectors.json">`)
	text = guideNeighbor.ReplaceAllString(text, "<code>$1</code>")
	text = guideSettings.ReplaceAllString(text, `<a href="$1"><code>$1</code></a>`)
	tables := 0
	text = guideTable.ReplaceAllStringFunc(text, func(table string) string {
		tables++
		return `<div class="scroll" tabindex="0" role="group" aria-label="Table ` + strconv.Itoa(tables) + `">` + table + `</div>`
	})
	text = strings.ReplaceAll(text, "<th></th>", "<td></td>")
	text = guideRoles.Replace(text)
	text = regexp.MustCompile(`<pre>`).ReplaceAllString(text, `<pre tabindex="0">`)
	g := &guide{Text: template.HTML(text)} //nolint:gosec // a text of this repository, with raw HTML left out
	for _, m := range guideHeading.FindAllStringSubmatch(text, -1) {
		g.Parts = append(g.Parts, guidePart{ID: m[2], Title: m[3], Sub: m[1] == "3"})
	}
	return g, nil
}
