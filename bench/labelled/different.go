package labelled

import "slices"

// differentClasses returns people who are easily taken for one another. The false match
// rate is measured by them: each is an alert about, or a link to, a stranger.
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
		// Same surname, another first name.
		change("sibling", func(g *Generator, p, q *person) bool {
			q.first, q.middle = g.pick(g.names(*q)), ""
			return g.distinct(p.first, q.first) && g.distinct(p.middle, q.first)
		}),
		// Families repeat middle names.
		change("sibling with the same middle name", func(g *Generator, p, q *person) bool {
			q.first = g.pick(g.names(*q))
			return g.distinct(p.first, q.first) && len(p.middle) > 1 && g.distinct(p.middle, q.first)
		}),
		// JOHN and JAMES SMITH, where sources often have J.
		change("sibling with the same initial", func(g *Generator, p, q *person) bool {
			q.first = g.pick(g.names(*q))
			return g.distinct(p.first, q.first) && p.first[0] == q.first[0]
		}),
		// Father and son, who differ in nothing else.
		change("suffix conflict", func(g *Generator, p, q *person) bool {
			pairs := [][2]string{{"jr", "sr"}, {"sr", "jr"}, {"ii", "iii"}, {"jr", "iii"}, {"iii", "sr"}}
			k := pairs[g.r.IntN(len(pairs))]
			p.suffix, q.suffix = k[0], k[1]
			return true
		}),
		// JAMES THOMAS and THOMAS JAMES, with names that are common in both roles.
		change("swapped", func(g *Generator, p, q *person) bool {
			p.suffix, q.suffix, p.middle, q.middle = "", "", "", ""
			p.first, p.last = g.pick(&g.usual), []string{g.pick(&g.usual)}
			q.first, q.last = p.last[0], []string{p.first}
			return p.first != p.last[0]
		}),
		// JOHN ALLEN and JOHN ROBERT SMITH.
		change("middle conflict", func(g *Generator, p, q *person) bool {
			q.middle = g.pick(g.names(*q))
			return len(p.middle) > 1 && g.distinct(p.middle, q.middle) && p.middle[0] != q.middle[0]
		}),
		change("middle initial conflict", func(g *Generator, p, q *person) bool {
			q.middle = g.letter()
			return p.middle != "" && p.middle[0] != q.middle[0]
		}),
		// MARIN and MARIA: two names, not a slip.
		change("near first name", func(g *Generator, p, q *person) bool { q.middle = ""; return g.swapForm(&q.first, g.near) }),
		// UNGER and YUNGER.
		change("near surname", func(g *Generator, _, q *person) bool { return g.swapForm(&q.last[0], g.nearLast) }),
		// MARIA and MARIO.
		change("other sex's form", func(g *Generator, p, q *person) bool {
			k := otherSex[g.r.IntN(len(otherSex))]
			p.first, q.first = k[0], k[1]
			return true
		}),
		// The surname alone differs.
		change("same given names", func(g *Generator, p, q *person) bool {
			q.last[0] = g.pick(&g.surnames)
			return p.last[0] != q.last[0] && !slices.Contains(g.sounds[p.last[0]], q.last[0])
		}),
		// GARCIA LOPEZ and GARCIA PEREZ.
		change("cousins with two surnames", func(g *Generator, p, q *person) bool {
			a, b, c := g.pick(&g.surnames), g.pick(&g.surnames), g.pick(&g.surnames)
			p.last, q.last = []string{a, b}, []string{a, c}
			p.middle, q.middle = "", ""
			return a != b && a != c && b != c && !slices.Contains(g.sounds[b], c)
		}),
		// JUAN and JACK.
		change("nickname of another name", func(g *Generator, p, q *person) bool {
			other := g.pick(g.names(*p))
			ok := g.swapForm(&other, g.nick)
			q.first = other
			return ok && g.distinct(p.first, q.first)
		}),
		// SMITH agrees by chance more than any other.
		change("common surname", func(g *Generator, p, q *person) bool {
			name := []string{"smith", "johnson", "williams", "brown", "jones", "davis", "garcia", "nguyen"}[g.r.IntN(8)]
			p.last[0], q.last[0] = name, name
			q.first = g.pick(g.names(*p))
			return g.distinct(p.first, q.first)
		}),
		// First name and surname are other ones.
		change("shares only the middle name", func(g *Generator, p, q *person) bool {
			q.first, q.last[0] = g.pick(g.names(*q)), g.pick(&g.surnames)
			return p.middle != "" && p.last[0] != q.last[0]
		}),
		change("sibling with the same middle initial", func(g *Generator, p, q *person) bool {
			q.first = g.pick(g.names(*q))
			p.middle = g.letter()
			q.middle = p.middle
			return g.distinct(p.first, q.first)
		}),
		// The suffix stands on one side only.
		change("son with another middle name", func(g *Generator, p, q *person) bool {
			q.middle, q.suffix = g.pick(g.names(*p)), "jr"
			return len(p.middle) > 1 && p.suffix == "" && g.distinct(p.middle, q.middle) && p.middle[0] != q.middle[0]
		}),
		change("cousins with a hyphen", func(g *Generator, p, q *person) bool {
			b, c := g.pick(&g.surnames), g.pick(&g.surnames)
			p.last, q.last = []string{p.last[0] + "-" + b}, []string{p.last[0] + "-" + c}
			return b != c && !slices.Contains(g.sounds[b], c)
		}),
		// MARY ANN and MARY LOU.
		change("double first names that share one", func(g *Generator, p, q *person) bool {
			a, b := g.pick(g.names(*p)), g.pick(g.names(*p))
			q.first, p.first = p.first+" "+a, p.first+" "+b
			p.middle, q.middle = "", ""
			return g.distinct(a, b) && a[0] != b[0]
		}),
		// Two slips that are none: both are names of their own.
		change("both names of others nearby", func(g *Generator, p, q *person) bool {
			return g.swapForm(&q.first, g.near) && g.swapForm(&q.last[0], g.nearLast)
		}),
		// JOHN JAMES and JOHN JAMES SMITH.
		change("middle name for a surname", func(g *Generator, p, q *person) bool {
			q.middle, q.last[0] = g.pick(g.names(*q)), g.pick(&g.surnames)
			p.middle, p.last, q.last = "", []string{q.middle}, q.last[:1]
			return g.heard[p.last[0]] && p.first != q.middle && p.last[0] != q.last[0] && !slices.Contains(g.sounds[p.last[0]], q.last[0])
		}),
		// J SMITH and ROBERT SMITH.
		change("initial of another name", func(g *Generator, p, q *person) bool {
			q.first = g.letter()
			return p.first[0] != q.first[0] && (p.middle == "" || p.middle[0] != q.first[0])
		}),
	}
}

// distinct reports whether two given names are different and no forms of one.
func (g *Generator) distinct(a, b string) bool {
	return a != b && !g.linked(a, b) && (len(a) < 3 || len(b) < 3 || a[:3] != b[:3])
}

// otherSex are names of men with the names of women that differ from them by an ending.
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

// Pairs returns n pairs of each class, or fewer where people seldom allow it. The same seed
// gives the same pairs.
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
