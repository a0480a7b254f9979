package web

import (
	"html"
	"slices"
	"strings"
)

// searched returns the entries with all that the manual says of each, and what holds for all operations.
func (s *Site) searched(entries []ReferenceEntry) []ReferenceEntry {
	pages := map[string]string{}
	for name, g := range s.guides {
		pages["/docs/"+name] = string(g.Text)
	}
	for _, p := range s.Reference.Pages {
		pages["/docs/v1/"+p.Slug] = string(p.Body)
	}
	ids := map[string][]string{} // the anchors of the entries, by page
	for _, e := range entries {
		at, id, _ := strings.Cut(e.Address, "#")
		ids[at] = append(ids[at], id)
	}
	sections := map[string]string{} // what is said, by address
	for at, text := range pages {
		for id, said := range sectionsOf(text, ids[at]) {
			sections[at+"#"+id] = said
		}
	}
	out := slices.Clone(entries)
	for i, e := range out {
		if e.Kind != "parameter" { // it stands in the section of its operation
			out[i].whole = sections[e.Address]
		}
	}
	const all = "What holds for all operations"
	return append(out, ReferenceEntry{
		Kind: "heading", Title: all, Text: all, Address: "/docs#all", Group: "REST reference", whole: plainText(string(s.Reference.Intro)),
	})
}

// sectionsOf cuts a page at its anchors and returns the text from each to the next. What stands before the first is with it.
func sectionsOf(text string, ids []string) map[string]string {
	type cut struct {
		id string
		at int
	}
	var cuts []cut
	for _, id := range ids {
		if at := strings.Index(text, `id="`+id+`"`); at >= 0 {
			cuts = append(cuts, cut{id, strings.LastIndex(text[:at], "<")})
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int { return a.at - b.at })
	out := map[string]string{}
	from := 0
	for i, c := range cuts {
		end := len(text)
		if i+1 < len(cuts) {
			end = cuts[i+1].at
		}
		if from < end { // a parameter has the anchor of its operation
			out[c.id] = plainText(text[from:end])
		}
		from = end
	}
	return out
}

// plainText returns the text of HTML in small letters.
func plainText(markup string) string {
	return strings.ToLower(html.UnescapeString(guideTag.ReplaceAllString(markup, " ")))
}

// grouped returns the entries that hold all words of asked, by their pages: those that are called so come first. Without words
// parameters are left out: each stands with its operation.
func grouped(all []ReferenceEntry, asked string) []manualGroup {
	words := strings.Fields(strings.ToLower(asked))
	var found, said []ReferenceEntry
	for _, e := range all {
		switch called := strings.ToLower(e.Method + " " + e.Title + " " + e.Text + " " + e.Group + " " + e.ID); {
		case len(words) == 0 && e.Kind == "parameter":
		case holds(called, words):
			found = append(found, e)
		case holds(called+" "+e.whole, words):
			said = append(said, e)
		}
	}
	var groups []manualGroup
	for _, e := range append(found, said...) {
		at := slices.IndexFunc(groups, func(g manualGroup) bool { return g.Title == e.Group })
		if at < 0 {
			at, groups = len(groups), append(groups, manualGroup{Title: e.Group})
		}
		groups[at].Entries = append(groups[at].Entries, e)
	}
	return groups
}

// holds reports whether all words stand in a text.
func holds(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}
