package labelled

import (
	"slices"
	"strings"
)

// Fits reports whether the names of a booked and a watched person fit, so that nothing but a birth date or a county tells
// the two apart: a surname in common, first names that are forms of one name or the middle name of somebody without
// another, and no middle name or suffix that contradicts. Both the names that the two have and the names as written are
// tried. Alerts of such namesakes are not counted as wrong. An initial instead of a first name does not fit.
func (s *Standing) Fits(g *Generator, watcher, booking string) bool {
	for _, p := range s.watched[watcher] {
		for _, q := range s.booked[booking] {
			if g.fit(p, q) {
				return true
			}
		}
	}
	return false
}

// fit reports whether two people are namesakes.
func (g *Generator) fit(p, q person) bool {
	if sameWords(p, q) {
		return true
	}
	if !g.surnamesFit(surnamesOf(p), surnamesOf(q)) || p.suffix != "" && q.suffix != "" && generation(p) != generation(q) {
		return false
	}
	a, b := strings.Fields(p.given()), strings.Fields(q.given())
	if joined(a) == joined(b) {
		return true
	}
	if g.form(a[0], b[0]) && len(a[0]) > 1 == (len(b[0]) > 1) {
		return len(a) < 2 || len(b) < 2 || g.form(a[1], b[1])
	}
	switch {
	case len(a) == 1 && len(b) > 1:
		return g.form(a[0], b[1]) || a[0] == b[0]+b[1]
	case len(b) == 1 && len(a) > 1:
		return g.form(b[0], a[1]) || b[0] == a[0]+a[1]
	}
	return false
}

// sameWords reports whether two names are the same words in whatever order: without a comma nobody can tell KHALIL ALI
// from ALI KHALIL.
func sameWords(p, q person) bool {
	a, b := strings.Fields(p.first+" "+p.surname()), strings.Fields(q.first+" "+q.surname())
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b) && (p.middle == "" || q.middle == "" || p.middle[0] == q.middle[0])
}

// generation returns the suffix of a person, with II as JR, which it often is.
func generation(p person) string {
	if p.suffix == "ii" {
		return "jr"
	}
	return p.suffix
}

// joined returns the words without blanks and hyphens.
func joined(words []string) string {
	return strings.ReplaceAll(strings.Join(words, ""), "-", "")
}

// form reports whether two given names are forms of one name, or one is the other's initial.
func (g *Generator) form(a, b string) bool {
	if len(a) == 1 || len(b) == 1 {
		return a[0] == b[0]
	}
	return a == b || g.linked(a, b)
}

// surnamesFit reports whether all surnames of the one who has fewer are among those of the other.
func (g *Generator) surnamesFit(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, x := range a {
		found := false
		for _, y := range b {
			found = found || x == y || slices.Contains(g.sounds[x], y)
		}
		if !found {
			return false
		}
	}
	return true
}

// prefixes are parts of a surname that are left out or written together with it.
var prefixes = map[string]bool{
	"de": true, "la": true, "del": true, "van": true, "der": true, "von": true, "los": true, "st": true, "st.": true, "saint": true, "mc": true,
	"mac": true, "al": true, "el": true, "le": true, "di": true, "o": true, "d": true, "fitz": true, "m": true,
}

// surnamesOf returns the surnames of a person without particles, a hyphenated one as two.
func surnamesOf(p person) []string {
	var out []string
	for _, f := range strings.FieldsFunc(p.surname(), func(r rune) bool { return r == ' ' || r == '-' || r == '\'' }) {
		if !prefixes[f] {
			out = append(out, f)
		}
	}
	return out
}
