package labelled

import (
	"slices"
	"strings"
)

// clerkClasses returns further ways in which clerks write one person twice: prefixes and blanks, slips that exchange
// letters, forms of other lists, columns that cut, and several of these at once.
func clerkClasses(
	one func(string, func(*Generator, person) (string, string, bool)) class, change func(string, func(*Generator, *person) bool) class,
) []class {
	return []class{
		// MC CLEERY, MCCLEERY and MACCLEERY.
		one("spaced prefix", spacedPrefix),
		// DA QUAN and DAQUAN, JEAN PAUL and JEANPAUL.
		one("blank inside first name", blankInside),
		// DAIVD and WESIS.
		change("letters exchanged", func(g *Generator, p *person) bool {
			if g.chance(0.5) {
				return g.exchange(&p.first)
			}
			return g.exchange(&p.last[0])
		}),
		// Slips in both names, and the other layout.
		one("two slips, other order", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.last = append([]string{}, p.last...)
			ok := g.typo(&q.first) && g.typo(&q.last[0])
			g.wrote = append(g.wrote, p)
			return title(p.firstLast()), strings.ToUpper(q.lastFirst()), ok
		}),
		change("nickname of another list", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.otherNick) }),
		change("first name spelled, another list", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.otherSpelled) }),
		change("surname heard alike, another list", func(g *Generator, p *person) bool { return g.swapForm(&p.last[0], g.otherSounds) }),
		// STEPHEN WARD and WARD, STEVEN ROBERT.
		one("spelled, middle name on one side", func(g *Generator, p person) (string, string, bool) {
			q := p
			ok := g.swapForm(&q.first, g.otherSpelled) && p.middle != ""
			p.middle = ""
			return g.written(p), g.seen(q), ok
		}),
		// The watcher knows the name that is used, the jail has J ALLEN.
		one("initial and middle name", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.first = p.first[:1]
			return g.written(p), g.seen(q), len(p.middle) > 2
		}),
		// A column of its own for each name: CHRISTOPH.
		one("first name cut off", func(g *Generator, p person) (string, string, bool) {
			width, q := 5+g.r.IntN(4), p
			if len(p.first) <= width {
				return "", "", false
			}
			q.first = p.first[:width]
			return g.written(p), g.seen(q), true
		}),
		one("surname cut off", func(g *Generator, p person) (string, string, bool) {
			p.last = p.last[:1]
			width, q := 8+g.r.IntN(4), p
			if len(p.last[0]) <= width {
				return "", "", false
			}
			q.last = []string{p.last[0][:width]}
			return g.written(p), g.seen(q), true
		}),
		// One of two surnames, as jails that have one column for it do.
		one("one of two surnames", func(g *Generator, p person) (string, string, bool) {
			q := p
			p.last = []string{g.family(p.origin), g.family(p.origin)}
			q.last = p.last[g.r.IntN(2):][:1]
			return g.written(p), g.seen(q), p.last[0] != p.last[1]
		}),
		one("by the middle name, with a slip", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.first, q.middle = p.middle, ""
			return g.written(q), g.seen(p), len(p.middle) > 4 && g.typo(&p.middle)
		}),
		one("surname first, as in Vietnam and Korea", ownOrder),
		change("letter doubled or dropped", func(g *Generator, p *person) bool {
			if g.chance(0.5) {
				return g.doubleLetter(&p.first)
			}
			return g.doubleLetter(&p.last[0])
		}),
	}
}

// seen writes a name as a jail does, most often with the surname first and in capitals. Like [Generator.written] it notes
// the name: whoever is called as somebody is written is a namesake too.
func (g *Generator) seen(p person) string {
	p.last = slices.Clone(p.last)
	g.wrote = append(g.wrote, p)
	if g.chance(0.75) {
		return strings.ToUpper(p.lastFirst())
	}
	return strings.ToUpper(p.firstLast())
}

// ownOrder writes a watched name as its owner does at home, and the booked one as jails do, half of the time without the middle name.
func ownOrder(g *Generator, p person) (watched, seen string, ok bool) {
	switch {
	case len(p.middle) < 2:
		return "", "", false
	case p.origin == "vietnamese":
		watched = p.last[0] + " " + p.middle + " " + p.first
	case p.origin == "korean":
		watched = p.last[0] + " " + p.first + " " + p.middle
	default:
		return "", "", false
	}
	g.wrote = append(g.wrote, p)
	q := p
	if g.chance(0.5) {
		q.middle = ""
	}
	return watched, g.seen(q), true
}

// spacedPrefix writes MC, MAC, O, DE, LA, VAN or SAINT apart, together, or one for the other.
func spacedPrefix(g *Generator, p person) (watched, seen string, ok bool) {
	sets := [][]string{
		{"mc ", "mc", "mac", "mac ", "m'"},
		{"o ", "o'", "o"},
		{"de ", "de"},
		{"la ", "la"},
		{"le ", "le"},
		{"van ", "van"},
		{"st ", "st. ", "saint ", "st", "saint"},
		{"del ", "del"},
		{"fitz ", "fitz"},
		{"di ", "di"},
		{"el ", "el-", "el"},
		{"al ", "al-", "al"},
	}
	p.last = p.last[:1]
	set := sets[g.r.IntN(len(sets))]
	if g.chance(0.3) {
		set = sets[0]
	}
	i := g.r.IntN(len(set))
	j := (i + 1 + g.r.IntN(len(set)-1)) % len(set)
	q, stem := p, p.last[0]
	p.last, q.last = []string{set[i] + stem}, []string{set[j] + stem}
	return g.written(p), g.seen(q), len(stem) > 3
}

// blankInside writes a first name with a blank or a hyphen inside, and without.
func blankInside(g *Generator, p person) (watched, seen string, ok bool) {
	q := p
	heads := []string{"da", "de", "la", "ja", "ra", "sha", "ty", "ke", "mar", "jean", "le", "ta", "jo"}
	a := heads[g.r.IntN(len(heads))]
	b := g.given(p)
	if rest, found := strings.CutPrefix(p.first, a); found && len(rest) > 2 {
		b = rest // DAQUAN, LATASHA: the name that the person has
	}
	if len(b) > 7 || len(b) < 3 {
		return "", "", false
	}
	p.first, q.first = a+b, a+[]string{" ", "-", "'"}[g.r.IntN(3)]+b
	if g.chance(0.5) {
		p, q = q, p
	}
	return g.written(p), g.seen(q), true
}

// exchange exchanges two neighbouring letters.
func (g *Generator) exchange(name *string) bool {
	s := *name
	if len(s) < 4 {
		return false
	}
	i := g.r.IntN(len(s) - 1)
	if i == 0 && g.chance(0.7) {
		i = 1 + g.r.IntN(len(s)-2) // few slips are at the first letter
	}
	*name = s[:i] + s[i+1:i+2] + s[i:i+1] + s[i+2:]
	return *name != s
}

// doubleLetter writes a single letter twice, or a double one once.
func (g *Generator) doubleLetter(name *string) bool {
	s := *name
	if len(s) < 4 {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1] {
			*name = s[:i] + s[i+1:]
			return true
		}
	}
	i := 1 + g.r.IntN(len(s)-1)
	*name = s[:i] + s[i:i+1] + s[i:]
	return true
}
