package rest

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
)

//go:embed docs.html
var docsHTML string

// Docs serves the description of /v1, to anybody: it holds no records.
type Docs struct {
	json []byte
	etag string
	body template.HTML
}

// NewDocs makes the description for a service at baseURL, which ends in /v1.
func NewDocs(baseURL string) (*Docs, error) {
	text, err := OpenAPI(baseURL)
	if err != nil {
		return nil, err
	}
	view, err := newDocsView(baseURL)
	if err != nil {
		return nil, err
	}
	page, err := template.New("docs").Funcs(template.FuncMap{"prose": prose, "anchor": anchor}).Parse(docsHTML)
	if err != nil {
		return nil, fmt.Errorf("read docs.html: %w", err)
	}
	var body strings.Builder
	if err := page.Execute(&body, view); err != nil {
		return nil, fmt.Errorf("make the reference: %w", err)
	}
	return &Docs{json: text, etag: etag(text, identity), body: template.HTML(body.String())}, nil //nolint:gosec // made by a template, from our own text
}

// OpenAPI serves openapi.json.
func (d *Docs) OpenAPI(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "public, no-cache")
	h.Set("Access-Control-Allow-Origin", "*") // it holds no data, and tools in browsers read it
	h.Set("ETag", d.etag)
	if holds(r.Header["If-None-Match"], d.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(d.json)
}

// Body is the same for people: what the reference's page shows between the site's head and foot. Operations, parameters
// and bodies carry data attributes, from which a script makes forms to try them.
func (d *Docs) Body() template.HTML { return d.body }

// prose shows the little of Markdown that openapi.yaml uses: paragraphs, `code` and **bold**.
func prose(text string) template.HTML {
	var out strings.Builder
	for para := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		safe := template.HTMLEscapeString(para)
		out.WriteString("<p>" + paired(paired(safe, "`", "code"), "**", "strong") + "</p>")
	}
	return template.HTML(out.String()) //nolint:gosec // every piece of text was escaped above
}

// paired puts what stands between two marks into an element. A mark without a second one is text.
func paired(s, mark, element string) string {
	var out strings.Builder
	for {
		before, rest, opened := strings.Cut(s, mark)
		inside, after, closed := strings.Cut(rest, mark)
		if !opened || !closed {
			return out.String() + s
		}
		out.WriteString(before + "<" + element + ">" + inside + "</" + element + ">")
		s = after
	}
}

// anchor is the place of a schema on the page.
func anchor(schema string) string { return "schema-" + schema }
