package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"rollcall/internal/sample"
)

// DocsPath is below which the pages of the reference lie.
const DocsPath = "/docs/v1/"

// DocsPage is a page of the reference. Operations, parameters and bodies in it carry data attributes, from which a script makes
// forms to try them.
type DocsPage struct {
	// Slug is the last part of its address.
	Slug, Title string
	Body        template.HTML
}

// DocsEntry is something of the reference that readers look for.
type DocsEntry struct {
	// Kind is operation, parameter, event, body, header, error or part.
	Kind string
	// ID is its anchor, on its page and, as a link, on the index.
	ID, Title, Text string
	// Method is that of an operation; empty for the others.
	Method string
	// Slug is that of its page, and Page what the page is called.
	Slug, Page string
}

// parts are the pages beside those of families, which come after them.
var parts = []struct{ slug, title string }{{"events", "Events"}, {"bodies", "Bodies"}, {"answers", "Errors and headers"}}

// pagesOf renders the pages of the reference, one a family of operations.
func pagesOf(view docsView) ([]DocsPage, error) {
	texts, err := template.New("docs").Funcs(template.FuncMap{
		"prose": prose, "anchor": anchor, "header": headerAnchor, "headed": headerAddress, "body": bodyAddress,
	}).Parse(docsHTML)
	if err != nil {
		return nil, fmt.Errorf("read docs.html: %w", err)
	}
	var pages []DocsPage
	add := func(name, slug, title string, tag *docsTag) error {
		var b strings.Builder
		if err := texts.ExecuteTemplate(&b, name, struct {
			docsView
			Slug string
			Tag  *docsTag
		}{view, slug, tag}); err != nil {
			return fmt.Errorf("make the reference of %s: %w", slug, err)
		}
		pages = append(pages, DocsPage{Slug: slug, Title: title, Body: template.HTML(b.String())}) //nolint:gosec // made by a template, from our own text
		return nil
	}
	for i := range view.Tags {
		t := &view.Tags[i]
		if err := add("family", t.Slug, t.Name, t); err != nil {
			return nil, err
		}
	}
	for _, p := range parts {
		if err := add(p.slug, p.slug, p.title, nil); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// entriesOf lists what can be found in the reference, in the order of its pages.
func entriesOf(view docsView) []DocsEntry {
	var all []DocsEntry
	for _, t := range view.Tags {
		for _, o := range t.Operations {
			all = append(all, DocsEntry{Kind: "operation", ID: o.ID, Method: o.Method, Title: o.Path, Text: o.Summary, Slug: t.Slug, Page: t.Name})
			for _, p := range o.Parameters {
				all = append(all, DocsEntry{Kind: "parameter", ID: o.ID, Title: p.Name, Text: "Parameter of " + o.Method + " " + o.Path, Slug: t.Slug, Page: t.Name})
			}
		}
	}
	for _, e := range view.Events {
		all = append(all, DocsEntry{Kind: "event", ID: "event-" + e.Name, Title: e.Name, Text: e.Summary, Slug: "events", Page: "Events"})
	}
	for _, s := range view.Schemas {
		all = append(all, DocsEntry{Kind: "body", ID: anchor(s.Name), Title: s.Name, Text: "Body", Slug: "bodies", Page: "Bodies"})
	}
	const page = "Errors and headers"
	all = append(all, DocsEntry{Kind: "part", ID: "errors", Title: "Errors", Text: "What each status means", Slug: "answers", Page: page})
	for _, c := range view.Codes {
		all = append(all, DocsEntry{Kind: "error", ID: "error-" + c.Name, Title: c.Name, Text: "Error code: what to do", Slug: "answers", Page: page})
	}
	all = append(all, DocsEntry{Kind: "part", ID: "headers", Title: "Headers of answers", Text: "What each header means", Slug: "answers", Page: page})
	for _, h := range view.Headers {
		all = append(all, DocsEntry{Kind: "header", ID: headerAnchor(h.Name), Title: h.Name, Text: "Header of answers", Slug: "answers", Page: page})
	}
	for _, h := range view.EventHeaders {
		all = append(all, DocsEntry{Kind: "header", ID: headerAnchor(h.Name), Title: h.Name, Text: "Header of deliveries", Slug: "events", Page: "Events"})
	}
	return all
}

// headerAddress returns where a header of answers is explained.
func headerAddress(name string) string { return DocsPath + "answers#" + headerAnchor(name) }

// headerAnchor returns the anchor of a header in its table.
func headerAnchor(name string) string { return "header-" + strings.ToLower(name) }

// bodyAddress returns the address of a schema in the reference.
func bodyAddress(schema string) string { return DocsPath + "bodies#" + anchor(schema) }

// addSamples adds the programs that make the request of an operation at the service's own address: with the examples of its
// parameters in the path, the first records of a list, and the example of its body.
func (o *docsOperation) addSamples(baseURL string) error {
	r := sample.Request{Title: o.Summary, Method: o.Method, Path: o.Path, Base: baseURL}
	for _, p := range o.Parameters {
		switch {
		case p.In == "path" && p.Example == "":
			return fmt.Errorf("operation %s: parameter %s has no example", o.ID, p.Name)
		case p.In == "path":
			r.Path = strings.ReplaceAll(r.Path, "{"+p.Name+"}", url.PathEscape(p.Example))
		case p.In == "query" && p.Name == "limit":
			r.Path += "?limit=2"
		}
	}
	if o.Body != nil {
		var body bytes.Buffer
		if err := json.Compact(&body, []byte(o.Body.Example)); err != nil {
			return fmt.Errorf("operation %s: %w", o.ID, err)
		}
		r.Body = body.String()
	}
	for _, l := range sample.Languages() {
		program, err := l.Program(r)
		if err != nil {
			return fmt.Errorf("operation %s: %w", o.ID, err)
		}
		o.Samples = append(o.Samples, docsSample{Language: l.Name, Program: program})
	}
	o.SamplePath = r.Path
	return nil
}
