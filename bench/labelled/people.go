package labelled

import (
	"slices"
	"strings"
)

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
	// Where the names come from; empty for the names of the whole country.
	origin string
	// Decade of birth, from 0 for the 1940s.
	decade int
}

// letter draws a letter.
func (g *Generator) letter() string {
	i := g.r.IntN(26)
	return "abcdefghijklmnopqrstuvwxyz"[i : i+1]
}

// chance returns true with probability p.
func (g *Generator) chance(p float64) bool { return g.r.Float64() < p }

// bornShares are the shares of the decades of birth, from the 1940s on, among people in jail.
var bornShares = [...]float64{0.01, 0.05, 0.13, 0.21, 0.29, 0.24, 0.07}

// Shares of people by where their names are from: about Georgia's.
const (
	spanishShare = 0.10
	otherShare   = 0.006 // of each other origin
	// unlistedShare is the share of the others whose surname no list holds; the Census leaves a tenth out.
	unlistedShare = 0.06
)

// origin draws where the names of a person are from; empty for the country as a whole.
func (g *Generator) origin() string {
	x := g.r.Float64()
	for _, o := range origins {
		share := otherShare
		if o == "spanish" {
			share = spanishShare
		}
		if x -= share; x < 0 {
			return o
		}
	}
	return ""
}

// person draws a person in shares like those of a jail: a quarter are women, most have a middle name or initial, a few
// men have a suffix.
func (g *Generator) person() person {
	p := person{woman: g.chance(0.25), decade: g.decade(), origin: g.origin()}
	p.last = []string{g.family(p.origin)}
	p.first = g.given(p)
	switch {
	case g.chance(0.55):
		p.middle = g.middle(p)
	case g.chance(0.4):
		p.middle = g.letter()
	}
	if p.origin == "spanish" && g.chance(0.3) {
		p.last = append(p.last, g.family(p.origin))
	}
	if !p.woman && p.origin == "" && g.chance(0.08) {
		p.suffix = []string{"jr", "sr", "ii", "iii"}[g.r.IntN(4)]
	}
	return p
}

// decade draws a decade of birth.
func (g *Generator) decade() int {
	x := g.r.Float64()
	for i, share := range bornShares {
		if x -= share; x < 0 {
			return i
		}
	}
	return len(bornShares) - 1
}

// family draws a surname of an origin. Some of the others are no names of a list, but put together from two of them.
func (g *Generator) family(origin string) string {
	if origin != "" {
		return g.pick(&g.from[origin].last)
	}
	for g.chance(unlistedShare) {
		a, b := g.surnames.names[g.r.IntN(len(g.surnames.names))], g.surnames.names[g.r.IntN(len(g.surnames.names))]
		if s := a[:len(a)/2+1] + b[len(b)/2:]; len(a) > 4 && len(b) > 4 && !g.listed[s] {
			return s
		}
	}
	return g.pick(&g.surnames)
}

// given draws a first name. One in four of those with an origin has a name of the whole country.
func (g *Generator) given(p person) string {
	if o := g.from[p.origin]; o != nil && g.chance(0.75) {
		if p.woman {
			return g.pick(&o.women)
		}
		return g.pick(&o.men)
	}
	return g.pick(g.names(p))
}

// middle draws a middle name.
func (g *Generator) middle(p person) string {
	if o := g.from[p.origin]; o != nil && len(o.middle.names) > 0 && g.chance(0.75) {
		return g.pick(&o.middle)
	}
	return g.given(p)
}

// names returns the given names of a person's sex and decade, of the whole country.
func (g *Generator) names(p person) *weighted {
	if p.woman {
		return &g.women[p.decade]
	}
	return &g.men[p.decade]
}

// surname draws another surname.
func (g *Generator) surname() string { return g.pick(&g.surnames) }

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

// written returns the name in one of the common layouts and letter cases. A surname with a particle or of two parts that
// a class made up is noted, as whoever has it is a namesake too.
func (g *Generator) written(p person) string {
	p.last = slices.Clone(p.last)
	g.wrote = append(g.wrote, p)
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
