package ingest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"rollcall/ingest/decode"
)

// names collects the names of a source's values where it has no header: keys of JSON, elements and attributes of XML, and
// labels of HTML where the document reads by labels, or classes where it finds values by them. Nil for all others.
func (s *Source) names() *decode.Keys {
	switch s.Decode.Format {
	case decode.JSON, decode.XML:
		return &decode.Keys{}
	case decode.HTML:
		labels := slices.DeleteFunc(s.Fields.Paths(), func(path string) bool { return !strings.Contains(path, "label:") })
		if len(labels) > 0 {
			return &decode.Keys{Labels: labels}
		}
		if len(s.Decode.Columns) == 0 && slices.ContainsFunc(s.Fields.Paths(), byClass.MatchString) {
			return &decode.Keys{Classes: true}
		}
	case decode.CSV, decode.TSV, decode.Fixed, decode.Tagged:
	}
	return nil
}

// byClass finds a class in a path of HTML.
var byClass = regexp.MustCompile(`(^|[a-z0-9 >+~*])\.[A-Za-z]`)

// maxStrange bounds the names that one report lists.
const maxStrange = 20

// maxKnown bounds those that are remembered.
const maxKnown = 2000

// strange names the fields that no earlier row had and the document does not know: the vendor added or renamed them. What
// the first snapshot has is known, and so is what an operator accepted. Each name is reported once.
func (u *run) strange(names *decode.Keys) []string {
	// Without a snapshot before, nothing can be new. A rehearsal's run reported what was.
	if names == nil || u.rehearse != nil || len(u.entry.Reported) == 0 || len(u.entry.Keys) == 0 {
		return nil
	}
	known := make(map[string]bool, len(u.entry.Keys))
	for _, name := range u.entry.Keys {
		known[name] = true
	}
	words := u.source.words()
	found := slices.DeleteFunc(names.Names(), func(name string) bool {
		// Below a name that is new, all names are: the outermost alone is reported.
		up := strings.LastIndexAny(name, "./")
		return known[name] || up > 0 && u.source.Decode.Format != decode.HTML && !known[name[:up]] || words[word(name)] || u.source.Decode.Expects(name)
	})
	more := len(found) - maxStrange
	found = found[:min(len(found), maxStrange)]
	for i, name := range found {
		found[i] = fmt.Sprintf("key %q is not known", name)
	}
	if more > 0 {
		found = append(found, fmt.Sprintf("%d more keys are not known", more))
	}
	return found
}

// known returns the names that are known after this snapshot, nil where it has none.
func (u *run) known(names *decode.Keys) []string {
	if names == nil {
		return nil
	}
	now := names.Names()
	if now == nil {
		return nil
	}
	// What was known once stays known: a name of rare rows would be reported each time that it comes back.
	all := append(slices.Clone(u.entry.Keys), now...)
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxKnown {
		return now // names that come and go for ever are none
	}
	return all
}

// words are the names that the document reads anywhere, as word returns them. Where a name stands is not looked at: what
// is mapped at one place is no surprise at another.
func (s *Source) words() map[string]bool {
	words := map[string]bool{}
	split := s.Decode.Split
	paths := slices.Concat(s.Fields.Paths(), s.Decode.Embedded, split.Group, []string{split.Begin, split.Section, split.Rows})
	for _, j := range s.Decode.Join {
		paths = append(paths, j.Rows, j.With, j.On, j.To)
	}
	for _, path := range paths {
		path = strings.TrimPrefix(path, "outer.")
		if label, ok := strings.CutPrefix(path, "label:"); ok {
			words[word(strings.TrimRight(strings.TrimSpace(label), ": "))] = true
			continue
		}
		for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(`./|#()[]=<>!"',@*\`, r) }) {
			words[word(part)] = true
		}
	}
	return words
}

var numbers = regexp.MustCompile(`\d+|%`)

// word is the last name of a path without the prefix of a namespace, in lower case, with % for numbers.
func word(path string) string {
	last := path[strings.LastIndexAny(path, "./@")+1:]
	last = last[strings.LastIndexByte(last, ':')+1:]
	return strings.ToLower(numbers.ReplaceAllString(strings.TrimFunc(last, unicode.IsSpace), "%"))
}
