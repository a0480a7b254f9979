package web

import (
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"rollcall/auth"
	"rollcall/web/page"
)

// Reference is the reference of /v1 as its pages show it.
type Reference struct {
	// Intro is what holds for all operations.
	Intro template.HTML
	Pages []ReferencePage
	// Entries are what can be found on the pages, in their order.
	Entries []ReferenceEntry
}

// ReferencePage is a page of the reference at /docs/v1/Slug.
type ReferencePage struct {
	Slug, Title string
	Body        template.HTML
}

// ReferenceEntry is something that readers look for in the manual. Scripts read it as JSON.
type ReferenceEntry struct {
	// Kind is operation, parameter, event, body, header, error, part or heading.
	Kind string `json:"kind"`
	// ID is its anchor on its page, and on the index if it has none before it.
	ID    string `json:"-"`
	Title string `json:"title"`
	Text  string `json:"text"`
	// Method is that of an operation; empty for the others.
	Method string `json:"method,omitempty"`
	// Address is where it stands.
	Address string `json:"address"`
	// Group is the title of its page.
	Group string `json:"group"`
	// whole is all that its page says of it. The index for scripts is without it, so that it stays small.
	whole string
}

// manualIndex is what the index of the manual shows.
type manualIndex struct {
	Intro template.HTML
	// Asked is what was searched for; empty: nothing was.
	Asked  string
	Groups []manualGroup
}

// Several reports whether more than one word was searched for.
func (m manualIndex) Several() bool { return len(strings.Fields(m.Asked)) > 1 }

// First returns the first request of a reader who has a key.
func (m manualIndex) First(root string) string {
	return `curl -H "Authorization: Bearer $ROLLCALL_KEY" "` + root + `/v1/roster?limit=2"`
}

// manualGroup is a page of the manual with what was found on it.
type manualGroup struct {
	Title   string
	Entries []ReferenceEntry
}

// reference routes the pages of the reference, its index, and what scripts search.
func (s *Site) reference(r chi.Router) error {
	entries := s.entries()
	index, err := json.Marshal(entries)
	if err != nil {
		return fmt.Errorf("write the index of the manual: %w", err)
	}
	searched := s.searched(entries)
	about := page.View{Title: "Reference", About: "Every address of rollcall’s REST API: who is in jail, in court and in prison in Georgia.", Script: "manual", Style: "manual", Wide: true}
	whole := about
	whole.Body = manualIndex{Intro: s.Reference.Intro, Groups: grouped(entries, "")}
	all := s.manualPage("reference-index", whole)
	r.Get("/docs", func(w http.ResponseWriter, r *http.Request) {
		asked := strings.TrimSpace(r.URL.Query().Get("q"))
		if asked == "" {
			all(w, r)
			return
		}
		found := about
		found.Title, found.About = "Search in the manual", ""
		found.Body = manualIndex{Asked: asked, Groups: grouped(searched, asked)}
		s.Show(w, r, s.Reader(r), http.StatusOK, "reference-index", found)
	})
	r.Get("/docs/index.json", manualFile(index))
	for _, p := range s.Reference.Pages {
		r.Get("/docs/v1/"+p.Slug, s.manualPage("reference", page.View{
			Title: p.Title + ": reference", About: "rollcall’s REST API: " + p.Title + ".", Script: "reference", Body: p.Body,
		}))
	}
	return nil
}

// entries are what can be found in the whole manual: the reference, and the headings of the guides.
func (s *Site) entries() []ReferenceEntry {
	all := append([]ReferenceEntry{}, s.Reference.Entries...)
	for _, g := range guidePages {
		for _, h := range s.guides[g.name].Parts {
			title := html.UnescapeString(guideTag.ReplaceAllString(h.Title, ""))
			all = append(all, ReferenceEntry{Kind: "heading", ID: h.ID, Title: title, Text: g.Title, Address: "/docs/" + g.name + "#" + h.ID, Group: g.Title})
		}
	}
	return all
}

// manualPage returns the handler of a page of the manual.
func (s *Site) manualPage(name string, data page.View) http.HandlerFunc {
	data.Style, data.Wide = "manual", true
	return s.Pressed(func(w http.ResponseWriter, r *http.Request, v *auth.Visitor) {
		s.Show(w, r, v, http.StatusOK, name, data)
	})
}
