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
	"github.com/klauspost/compress/gzhttp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"rollcall/web/page"
)

// manual routes the pages for people who write programs. Anybody may read them, as they hold no
// records.
func (s *Site) manual(r chi.Router) {
	for path, page := range map[string]http.HandlerFunc{
		"/docs": s.Open(s.referencePage), "/docs/webhooks": s.Open(s.guidePage),
	} {
		h := gzhttp.GzipHandler(page) // other pages are not: compressing a secret beside what a request says leaks it by its length
		r.Method(http.MethodGet, path, h)
		r.Method(http.MethodHead, path, h)
	}
}

// referencePage shows the reference of /v1.
func (s *Site) referencePage(w http.ResponseWriter, r *http.Request) error {
	return s.manualPage(w, r, "reference", page.View{Title: "REST reference", Script: "reference", Body: s.Reference})
}

// guidePage shows the guide for receivers of webhooks.
func (s *Site) guidePage(w http.ResponseWriter, r *http.Request) error {
	return s.manualPage(w, r, "guide", page.View{Title: "Webhook guide", Script: "guide", Body: s.guide})
}

// manualPage shows a page of the manual to anybody.
func (s *Site) manualPage(w http.ResponseWriter, r *http.Request, name string, data page.View) error {
	data.Style, data.Wide = "manual", true
	s.Show(w, r, s.Reader(r), http.StatusOK, name, data)
	return nil
}

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
	guideNeighbor = regexp.MustCompile(`<a href="\.\./[^"]*">(.*?)</a>`)
	guideTable    = regexp.MustCompile(`(?s)<table>.*?</table>`)
)

// guideRoles name the elements of tables. On a phone they are laid out as blocks, and some
// browsers then forget what they are.
var guideRoles = strings.NewReplacer("<table>", `<table role="table">`, "<thead>", `<thead role="rowgroup">`, "<tbody>", `<tbody role="rowgroup">`,
	"<tr>", `<tr role="row">`, "<th>", `<th role="columnheader">`, "<td>", `<td role="cell">`)

// newGuide renders our own Markdown. What is wide scrolls by itself and can be reached by
// keyboard. A link to another file of the repository becomes plain text, as that file is not
// served.
func newGuide(markdown string) (*guide, error) {
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	if err := md.Convert([]byte(markdown), &b); err != nil {
		return nil, fmt.Errorf("read the webhook guide: %w", err)
	}
	text := guideNeighbor.ReplaceAllString(b.String(), "<code>$1</code>")
	tables := 0
	text = guideTable.ReplaceAllStringFunc(text, func(table string) string {
		tables++
		return `<div class="scroll" tabindex="0" role="group" aria-label="Table ` + strconv.Itoa(tables) + `">` + table + `</div>`
	})
	text = strings.ReplaceAll(text, "<th></th>", "<td></td>")
	text = guideRoles.Replace(text)
	text = regexp.MustCompile(`<pre>`).ReplaceAllString(text, `<pre tabindex="0">`)
	g := &guide{Text: template.HTML(text)} //nolint:gosec // docs/webhooks.md of this repository, with raw HTML left out
	for _, m := range guideHeading.FindAllStringSubmatch(text, -1) {
		g.Parts = append(g.Parts, guidePart{ID: m[2], Title: m[3], Sub: m[1] == "3"})
	}
	return g, nil
}
