package web

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// searched returns what holds for all operations, and the entries with all that the manual says of each.
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
	const all = "What applies to all operations"
	return append([]ReferenceEntry{{
		Kind: "heading", Title: all, Text: all, Address: "/docs#all", Group: "REST reference", whole: plainText(string(s.Reference.Intro)),
	}}, out...)
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

// code are the samples of a page.
var code = regexp.MustCompile(`(?s)<pre.*?</pre>`)

// plainText returns the text of HTML without samples, with single blanks.
func plainText(markup string) string {
	return strings.Join(strings.Fields(html.UnescapeString(guideTag.ReplaceAllString(code.ReplaceAllString(markup, " "), " "))), " ")
}

// idle are words of questions that say nothing of what is looked for.
var idle = []string{"a", "an", "and", "are", "can", "do", "does", "how", "i", "in", "is", "many", "much", "of", "the", "to", "what"}

// wordsOf returns the words that a search looks for, in small letters and without the s of a plural. One that consists of idle
// words alone looks for them.
func wordsOf(asked string) []string {
	all := strings.Fields(strings.ToLower(asked))
	kept := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(idle, w) })
	if len(kept) == 0 {
		kept = all
	}
	for i, w := range kept {
		if len(w) > 4 && !strings.HasSuffix(w, "ss") {
			kept[i] = strings.TrimSuffix(w, "s")
		}
	}
	return kept
}

// excerptSize is how many bytes of text an excerpt has before and after what was found.
const excerptSize = 60

// Excerpt returns the text of an entry around the first word that was searched for; empty: the entry is called so.
func (m manualIndex) Excerpt(e ReferenceEntry) string {
	words := wordsOf(m.Asked)
	if len(words) == 0 || holds(called(e), words) {
		return ""
	}
	lower := strings.ToLower(e.whole)
	at := slices.IndexFunc(words, func(w string) bool { return !strings.Contains(called(e), w) && strings.Contains(lower, w) })
	if at < 0 || len(lower) != len(e.whole) {
		return ""
	}
	found := strings.Index(lower, words[at])
	from, to := max(found-excerptSize, 0), min(found+excerptSize, len(e.whole))
	before, after := "", ""
	if blank := strings.Index(e.whole[from:found], " "); from > 0 && blank >= 0 {
		from, before = from+blank+1, "… "
	}
	if blank := strings.LastIndex(e.whole[found:to], " "); to < len(e.whole) && blank > 0 {
		to, after = found+blank, " …"
	}
	return strings.ToValidUTF8(before+e.whole[from:to]+after, "")
}

// called returns what an entry is called, in small letters.
func called(e ReferenceEntry) string {
	return strings.ToLower(e.Method + " " + e.Title + " " + e.Text + " " + e.Group + " " + e.ID)
}

// places are how well an entry fits what was asked, the best first.
const (
	byName   = iota // what it is called holds all words
	byGuide         // its text does, and it is a heading: it explains
	byText          // its text does
	notAtAll        // it does not fit
)

// placeOf returns how well an entry fits words.
func placeOf(e ReferenceEntry, words []string) int {
	switch name := called(e); {
	case holds(name, words):
		return byName
	case !holds(name+" "+strings.ToLower(e.whole), words):
		return notAtAll
	case e.Kind == "heading":
		return byGuide
	}
	return byText
}

// grouped returns the entries that hold all words of asked, by their pages: those that fit best come first. Without words
// parameters are left out: each stands with its operation.
func grouped(all []ReferenceEntry, asked string) []manualGroup {
	words := wordsOf(asked)
	var found [notAtAll][]ReferenceEntry
	for _, e := range all {
		if place := placeOf(e, words); place != notAtAll && (len(words) > 0 || e.Kind != "parameter") {
			found[place] = append(found[place], e)
		}
	}
	var groups []manualGroup
	for _, e := range slices.Concat(found[:]...) {
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
