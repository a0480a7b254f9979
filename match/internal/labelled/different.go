package labelled

import "slices"

// differentClasses are people who are easily taken for one another.
func differentClasses() []class {
	change := func(name string, alter func(g *Generator, p, q *person) bool) class {
		return class{name: name, make: func(g *Generator, p person) (string, string, bool) {
			q := p
			q.last = slices.Clone(p.last)
			if !alter(g, &p, &q) {
				return "", "", false
			}
			return both(g, p, q)
		}}
	}
	return []class{
		change("sibling", func(g *Generator, p, q *person) bool {
			q.first, q.middle = g.pick(g.names(q.woman)), ""
			return g.distinct(p.first, q.first) && g.distinct(p.middle, q.first)
		}),
		change("sibling with the same middle name", func(g *Generator, p, q *person) bool {
			q.first = g.pick(g.names(q.woman))
			return g.distinct(p.first, q.first) && len(p.middle) > 1 && g.distinct(p.middle, q.first)
		}),
		change("sibling with the same initial", func(g *Generator, p, q *person) bool {
			q.first = g.pick(g.names(q.woman))
			return g.distinct(p.first, q.first) && p.first[0] == q.first[0]
		}),
		change("suffix conflict", func(g *Generator, p, q *person) bool {
			pairs := [][2]string{{"jr", "sr"}, {"sr", "jr"}, {"ii", "iii"}, {"jr", "iii"}, {"iii", "sr"}}
			k := pairs[g.r.IntN(len(pairs))]
			p.suffix, q.suffix = k[0], k[1]
			return true
		}),
		change("swapped", func(g *Generator, p, q *person) bool {
			p.suffix, q.suffix, p.middle, q.middle = "", "", "", ""
			p.first, p.last[0] = g.pick(&g.usual), g.pick(&g.usual)
			q.first, q.last[0] = p.last[0], p.first
			return p.first != p.last[0]
		}),
		change("middle conflict", func(g *Generator, p, q *person) bool {
			q.middle = g.pick(g.names(q.woman))
			return len(p.middle) > 1 && g.distinct(p.middle, q.middle) && p.middle[0] != q.middle[0]
		}),
		change("middle initial conflict", func(g *Generator, p, q *person) bool {
			q.middle = g.letter()
			return p.middle != "" && p.middle[0] != q.middle[0]
		}),
		change("near first name", func(g *Generator, p, q *person) bool { q.middle = ""; return g.swapForm(&q.first, g.near) }),
		change("near surname", func(g *Generator, _, q *person) bool { return g.swapForm(&q.last[0], g.nearLast) }),
		change("other sex's form", func(g *Generator, p, q *person) bool {
			k := otherSex[g.r.IntN(len(otherSex))]
			p.first, q.first = k[0], k[1]
			return true
		}),
		change("same given names", func(g *Generator, p, q *person) bool {
			q.last[0] = g.pick(&g.surnames)
			return p.last[0] != q.last[0] && !slices.Contains(g.sounds[p.last[0]], q.last[0])
		}),
		change("cousins with two surnames", func(g *Generator, p, q *person) bool {
			a, b, c := g.pick(&g.surnames), g.pick(&g.surnames), g.pick(&g.surnames)
			p.last, q.last = []string{a, b}, []string{a, c}
			p.middle, q.middle = "", ""
			return b != c && !slices.Contains(g.sounds[b], c)
		}),
		change("nickname of another name", func(g *Generator, p, q *person) bool {
			other := g.pick(g.names(p.woman))
			ok := g.swapForm(&other, g.nick)
			q.first = other
			return ok && g.distinct(p.first, q.first)
		}),
		change("common surname", func(g *Generator, p, q *person) bool {
			name := []string{"smith", "johnson", "williams", "brown", "jones", "davis", "garcia", "nguyen"}[g.r.IntN(8)]
			p.last[0], q.last[0] = name, name
			q.first = g.pick(g.names(p.woman))
			return g.distinct(p.first, q.first)
		}),
		change("shares only the middle name", func(g *Generator, p, q *person) bool {
			q.first, q.last[0] = g.pick(g.names(q.woman)), g.pick(&g.surnames)
			return p.middle != "" && p.last[0] != q.last[0]
		}),
		change("sibling with the same middle initial", func(g *Generator, p, q *person) bool {
			q.first = g.pick(g.names(q.woman))
			p.middle = g.letter()
			q.middle = p.middle
			return g.distinct(p.first, q.first)
		}),
		change("son with another middle name", func(g *Generator, p, q *person) bool {
			q.middle, q.suffix = g.pick(g.names(false)), "jr"
			return len(p.middle) > 1 && p.suffix == "" && g.distinct(p.middle, q.middle) && p.middle[0] != q.middle[0]
		}),
		change("cousins with a hyphen", func(g *Generator, p, q *person) bool {
			b, c := g.pick(&g.surnames), g.pick(&g.surnames)
			p.last, q.last = []string{p.last[0] + "-" + b}, []string{p.last[0] + "-" + c}
			return b != c && !slices.Contains(g.sounds[b], c)
		}),
		change("double first names that share one", func(g *Generator, p, q *person) bool {
			a, b := g.pick(g.names(p.woman)), g.pick(g.names(p.woman))
			q.first, p.first = p.first+" "+a, p.first+" "+b
			p.middle, q.middle = "", ""
			return g.distinct(a, b) && a[0] != b[0]
		}),
		change("both names of others nearby", func(g *Generator, p, q *person) bool {
			return g.swapForm(&q.first, g.near) && g.swapForm(&q.last[0], g.nearLast)
		}),
		change("middle name for a surname", func(g *Generator, p, q *person) bool {
			q.middle, q.last[0] = g.pick(g.names(q.woman)), g.pick(&g.surnames)
			p.middle, p.last[0] = "", q.middle
			return g.family[p.last[0]] && p.first != q.middle && p.last[0] != q.last[0] && !slices.Contains(g.sounds[p.last[0]], q.last[0])
		}),
		change("initial of another name", func(g *Generator, p, q *person) bool {
			q.first = g.letter()
			return p.first[0] != q.first[0] && (p.middle == "" || p.middle[0] != q.first[0])
		}),
	}
}

// distinct reports whether two given names are neither one nor forms of one.
func (g *Generator) distinct(a, b string) bool {
	return a != b && !g.linked(a, b) && (len(a) < 3 || len(b) < 3 || a[:3] != b[:3])
}

var otherSex = [][2]string{
	{"maria", "mario"},
	{"daniel", "danielle"},
	{"eric", "erica"},
	{"juan", "juana"},
	{"michael", "michaela"},
	{"joseph", "josephine"},
	{"carlos", "carla"},
	{"antonio", "antonia"},
	{"julio", "julia"},
	{"paul", "paula"},
	{"robert", "roberta"},
	{"denis", "denise"},
	{"victor", "victoria"},
	{"angelo", "angela"},
	{"gabriel", "gabriela"},
	{"christian", "christina"},
	{"stephan", "stephanie"},
	{"andre", "andrea"},
	{"alexander", "alexandra"},
	{"patrick", "patricia"},
	{"mario", "marie"},
	{"claudio", "claudia"},
	{"brian", "brianna"},
	{"john", "joan"},
	{"samuel", "samantha"},
	{"jesus", "jessie"},
	{"marcus", "marcia"},
	{"george", "georgia"},
}

// Pairs makes n pairs for each class, the same ones for the same seed.
func (g *Generator) Pairs(n int) []Pair {
	var out []Pair
	for _, c := range append(sameClasses(), differentClasses()...) {
		for made, tries := 0, 0; made < n && tries < 200*n; tries++ {
			watched, seen, ok := c.make(g, g.person())
			if !ok {
				continue
			}
			out = append(out, Pair{Class: c.name, Watched: watched, Seen: seen, Same: c.same})
			made++
		}
	}
	return out
}
