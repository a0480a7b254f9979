// Package unknown finds the fields of a snapshot that its source document does not know: the vendor added or renamed them. A
// run collects the names of values where there is no header (Keys), compares them with those of earlier snapshots (Fields),
// and remembers what is known from then on (Known). Columns of a header are compared by package ingest itself.
//
// It holds names alone and no value, so nothing of it is personal data. What becomes of a snapshot with unknown fields is
// decided in package reconcile.
package unknown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
)

// Keys returns an empty collection of the names of a source's values where it has no header: keys of JSON, elements and
// attributes of XML, and labels of HTML where the document reads by labels, or classes where it finds values by them. It is
// nil for all others.
func Keys(d *decode.Spec, fields mapping.Spec) *decode.Keys {
	switch d.Format {
	case decode.JSON, decode.XML:
		return &decode.Keys{}
	case decode.HTML:
		labels := slices.DeleteFunc(fields.Paths(), func(path string) bool { return !strings.Contains(path, "label:") })
		if len(labels) > 0 {
			return &decode.Keys{Labels: labels}
		}
		if len(d.Columns) == 0 && slices.ContainsFunc(fields.Paths(), byClass.MatchString) {
			return &decode.Keys{Classes: true}
		}
	case decode.CSV, decode.TSV, decode.Fixed, decode.Tagged:
	}
	return nil
}

// byClass finds a class in a path of HTML.
var byClass = regexp.MustCompile(`(^|[a-z0-9 >+~*])\.[A-Za-z]`)

// maxListed bounds the names that one report lists.
const maxListed = 20

// maxRemembered bounds those that are remembered.
const maxRemembered = 2000

// Fields names the fields that no earlier row had and the document does not know, each once. known are the names of earlier
// snapshots: what the first one has is known, and so is what an operator accepted.
func Fields(d *decode.Spec, fields mapping.Spec, names *decode.Keys, known []string) []string {
	before := make(map[string]bool, len(known))
	for _, name := range known {
		before[name] = true
	}
	words := wordsOf(d, fields)
	found := slices.DeleteFunc(names.Names(), func(name string) bool {
		// Below a name that is new, all names are: the outermost alone is reported.
		up := strings.LastIndexAny(name, "./")
		return before[name] || up > 0 && d.Format != decode.HTML && !before[name[:up]] || words[word(name)] || d.Expects(name)
	})
	more := len(found) - maxListed
	found = found[:min(len(found), maxListed)]
	for i, name := range found {
		found[i] = fmt.Sprintf("key %q is not known", name)
	}
	if more > 0 {
		found = append(found, fmt.Sprintf("%d more keys are not known", more))
	}
	return found
}

// Known returns the names that are known after a snapshot, nil where it has none.
func Known(names *decode.Keys, known []string) []string {
	if names == nil {
		return nil
	}
	now := names.Names()
	if now == nil {
		return nil
	}
	// What was known once stays known: a name of rare rows would be reported each time that it comes back.
	all := append(slices.Clone(known), now...)
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxRemembered {
		return now // names that come and go for ever are none
	}
	return all
}

// wordsOf are the names that the document reads anywhere, as word returns them. Where a name stands is not looked at: what
// is mapped at one place is no surprise at another.
func wordsOf(d *decode.Spec, fields mapping.Spec) map[string]bool {
	words := map[string]bool{}
	split := d.Split
	paths := slices.Concat(fields.Paths(), d.Embedded, split.Group, []string{split.Begin, split.Section, split.Rows})
	for _, j := range d.Join {
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
