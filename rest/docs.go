package rest

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/yuin/goldmark"

	"rollcall/internal/coding"
)

//go:embed docs.html
var docsHTML string

// Docs serves the description of /v1. It holds no records, so it needs no key. It is safe for
// concurrent use.
type Docs struct {
	// openapi.yaml as JSON, converted once.
	json []byte
	etag string
	// Pages of the reference, rendered once, and what can be found in them.
	pages   []DocsPage
	entries []DocsEntry
	// What holds for all operations.
	intro template.HTML
}

// NewDocs returns the description for a service at baseURL, which ends in /v1. An error means
// that the embedded document or template is broken.
func NewDocs(baseURL string) (*Docs, error) {
	text, err := OpenAPI(baseURL)
	if err != nil {
		return nil, err
	}
	view, err := newDocsView(baseURL)
	if err != nil {
		return nil, err
	}
	pages, err := pagesOf(view)
	if err != nil {
		return nil, err
	}
	intro, err := prose(view.Description)
	if err != nil {
		return nil, err
	}
	return &Docs{json: text, etag: etag(text, coding.Identity), pages: pages, entries: entriesOf(view), intro: intro}, nil
}

// OpenAPI serves openapi.json.
func (d *Docs) OpenAPI(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "public, no-cache")
	h.Set("Access-Control-Allow-Origin", "*") // tools in browsers read it, and it holds no data
	h.Set("ETag", d.etag)
	if holds(r.Header["If-None-Match"], d.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(d.json)
}

// Pages returns the reference for people: what its pages show between the site's head and foot.
func (d *Docs) Pages() []DocsPage { return d.pages }

// Entries returns what can be found in the reference.
func (d *Docs) Entries() []DocsEntry { return d.entries }

// Intro returns what holds for all operations.
func (d *Docs) Intro() template.HTML { return d.intro }

// prose renders the Markdown of openapi.yaml; raw HTML in it is left out.
func prose(text string) (template.HTML, error) {
	var out strings.Builder
	if err := goldmark.Convert([]byte(text), &out); err != nil {
		return "", fmt.Errorf("read a description: %w", err)
	}
	return template.HTML(out.String()), nil //nolint:gosec // openapi.yaml of this repository, with raw HTML left out
}

// anchor returns the id of a schema on the page.
func anchor(schema string) string { return "schema-" + schema }
