package labelled

import "strings"

// person is an invented one. last has one or two surnames.
type person struct {
	first, middle string
	last          []string
	suffix        string
	woman         bool
}

// letter picks a letter.
func (g *Generator) letter() string {
	i := g.r.IntN(26)
	return "abcdefghijklmnopqrstuvwxyz"[i : i+1]
}

func (g *Generator) chance(p float64) bool { return g.r.Float64() < p }

// person draws someone who is no namesake of those taken.
func (g *Generator) person() person {
	p := g.anyone()
	for g.namesake(g.taken[p.last[0]], p.first) {
		p = g.anyone()
	}
	return p
}

// surname draws another surname that somebody of this first name may have.
func (g *Generator) surname(first string) string {
	name := g.pick(&g.surnames)
	for g.namesake(g.taken[name], first) {
		name = g.pick(&g.surnames)
	}
	return name
}

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

func (g *Generator) names(woman bool) *weighted {
	if woman {
		return &g.women
	}
	return &g.men
}

func (p person) surname() string { return strings.Join(p.last, " ") }

func (p person) given() string { return strings.TrimSpace(p.first + " " + p.middle) }

// firstLast writes FIRST MIDDLE LAST SUFFIX.
func (p person) firstLast() string {
	return strings.TrimSpace(p.given() + " " + p.surname() + " " + p.suffix)
}

// lastFirst writes LAST, FIRST MIDDLE SUFFIX.
func (p person) lastFirst() string {
	return strings.TrimSpace(p.surname() + ", " + p.given() + " " + p.suffix)
}

// written picks one of the common layouts and a letter case.
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
