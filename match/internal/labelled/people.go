package labelled

import "strings"

// person is an invented person, in lower-case letters.
type person struct {
	// middle is a name, an initial or empty.
	first, middle string
	// One or two surnames; a hyphenated one counts as one.
	last []string
	// One of jr, sr, ii, iii, or empty.
	suffix string
	// Decides which given names are drawn; sources do not state it.
	woman bool
}

// letter draws a letter.
func (g *Generator) letter() string {
	i := g.r.IntN(26)
	return "abcdefghijklmnopqrstuvwxyz"[i : i+1]
}

// chance returns true with probability p.
func (g *Generator) chance(p float64) bool { return g.r.Float64() < p }

// person draws a person who is no namesake of those taken.
func (g *Generator) person() person {
	p := g.anyone()
	for g.namesake(g.taken[p.last[0]], p.first) {
		p = g.anyone()
	}
	return p
}

// surname draws another surname that a person of this first name may have.
func (g *Generator) surname(first string) string {
	name := g.pick(&g.surnames)
	for g.namesake(g.taken[name], first) {
		name = g.pick(&g.surnames)
	}
	return name
}

// anyone draws a person in shares like those of a jail: a quarter are women, most have a middle
// name or initial, a few men have a suffix.
func (g *Generator) anyone() person {
	p := person{woman: g.chance(0.25)}
	p.first = g.pick(g.names(p.woman))
	p.last = []string{g.pick(&g.surnames)}
	switch {
	case g.chance(0.55):
		p.middle = g.pick(g.names(p.woman))
	case g.chance(0.4):
		p.middle = g.letter()
	}
	if !p.woman && g.chance(0.08) {
		p.suffix = []string{"jr", "sr", "ii", "iii"}[g.r.IntN(4)]
	}
	return p
}

// names returns the given names of women or men.
func (g *Generator) names(woman bool) *weighted {
	if woman {
		return &g.women
	}
	return &g.men
}

// surname returns all surnames.
func (p person) surname() string { return strings.Join(p.last, " ") }

// given returns all given names.
func (p person) given() string { return strings.TrimSpace(p.first + " " + p.middle) }

// firstLast returns FIRST MIDDLE LAST SUFFIX.
func (p person) firstLast() string {
	return strings.TrimSpace(p.given() + " " + p.surname() + " " + p.suffix)
}

// lastFirst returns LAST, FIRST MIDDLE SUFFIX.
func (p person) lastFirst() string {
	return strings.TrimSpace(p.surname() + ", " + p.given() + " " + p.suffix)
}

// written returns the name in one of the common layouts and letter cases.
func (g *Generator) written(p person) string {
	s := p.firstLast()
	if g.chance(0.6) {
		s = p.lastFirst()
	}
	if g.chance(0.7) {
		return strings.ToUpper(s)
	}
	return title(s)
}

// title returns s with a capital at the beginning of each word.
func title(s string) string {
	b := []byte(s)
	for i := range b {
		if (i == 0 || b[i-1] == ' ' || b[i-1] == '-') && 'a' <= b[i] && b[i] <= 'z' {
			b[i] -= 32
		}
	}
	return string(b)
}

// Someone returns the name of an invented person in one of the usual layouts.
func (g *Generator) Someone() string { return g.written(g.person()) }
