package labelled

import "strings"

// moreSameClasses returns the ways in which clerks, scanners and other alphabets write one
// person twice.
func moreSameClasses(
	one func(string, func(*Generator, person) (string, string, bool)) class, change func(string, func(*Generator, *person) bool) class,
) []class {
	either := func(alter func(g *Generator, name *string) bool) func(g *Generator, p *person) bool {
		return func(g *Generator, p *person) bool {
			if g.chance(0.6) {
				return alter(g, &p.last[0])
			}
			return alter(g, &p.first)
		}
	}
	return []class{
		// SMUTH: a finger on the next key.
		change("key beside", either((*Generator).keyBeside)),
		// RN for M and the like, from a scan.
		change("misread letters", either((*Generator).misread)),
		// MOHAMED and MUHAMMAD.
		change("transliterated", either((*Generator).transliterate)),
		change("nickname and typo", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.nick) && g.typo(&p.last[0]) }),
		one("first initial, no middle name", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.first, q.middle = p.first[:1], ""
			return g.written(p), g.seen(q), true
		}),
		// The names that matter agree; a slip in the middle name must not undo that.
		change("middle name in error", func(g *Generator, p *person) bool { return len(p.middle) > 3 && g.typo(&p.middle) }),
		// J. A. SMITH.
		one("two initials", func(g *Generator, p person) (string, string, bool) {
			if len(p.middle) == 0 {
				return "", "", false
			}
			return g.written(p), strings.ToUpper(p.first[:1] + ". " + p.middle[:1] + ". " + p.surname()), true
		}),
		// Sex, race and age that a source writes behind the name are no part of it.
		one("extras in brackets", func(g *Generator, p person) (string, string, bool) {
			p.suffix = ""
			extra := []string{" (W/FEMALE)", " (B /M/34)", "(H/M)", " (W /F/34)"}[g.r.IntN(4)]
			return g.written(p), strings.ToUpper(p.lastFirst()) + extra, true
		}),
		// Mr. and Dr. say nothing about who somebody is.
		one("title", func(g *Generator, p person) (string, string, bool) {
			return g.written(p), []string{"Mr. ", "MR ", "Mrs ", "DR. "}[g.r.IntN(4)] + title(p.firstLast()), p.middle != ""
		}),
		// DE LA CRUZ and CRUZ.
		one("particle dropped", func(g *Generator, p person) (string, string, bool) {
			p.last = p.last[:1]
			q := p
			p.last = []string{[]string{"de la", "de", "del", "van", "de los", "von"}[g.r.IntN(6)] + " " + p.last[0]}
			return both(g, p, q)
		}),
		// MARY-ANN and MARY.
		one("double first name", func(g *Generator, p person) (string, string, bool) {
			second := g.pick(g.names(p))
			q := p
			q.middle, p.middle = "", ""
			p.first += []string{"-", " ", ""}[g.r.IntN(3)] + second
			return g.written(p), g.written(q), len(second) > 3 && second != q.first
		}),
		// SMITH-JONES and SMITH.
		one("half of a hyphened surname", func(g *Generator, p person) (string, string, bool) {
			p.last = p.last[:1]
			q := p
			q.last = []string{p.last[0] + "-" + g.surname()}
			return g.written(p), g.written(q), true
		}),
		// GARCIA LOPEZ and LOPEZ GARCIA.
		one("two surnames exchanged", func(g *Generator, p person) (string, string, bool) {
			p.last = p.last[:1]
			q := p
			p.last = []string{p.last[0], g.surname()}
			q.last = []string{p.last[1], p.last[0]}
			return g.written(p), strings.ToUpper(q.lastFirst()), p.middle == "" && p.last[0] != p.last[1]
		}),
		// JOHN ALLEN SMITHSO: the column ends in the surname.
		one("truncated without comma", func(_ *Generator, p person) (string, string, bool) {
			s := strings.ToUpper(p.firstLast())
			at := strings.LastIndexByte(s, ' ')
			for _, width := range []int{20, 25} {
				if len(s) > width && width-at > 4 && p.suffix == "" {
					return title(p.lastFirst()), s[:width], true
				}
			}
			return "", "", false
		}),
		// A letter that a source could not store.
		one("lost letter", func(g *Generator, p person) (string, string, bool) {
			s := strings.ToUpper(p.lastFirst())
			i := 1 + g.r.IntN(len(p.last[0])-1)
			return g.written(p), s[:i] + "?" + s[i+1:], true
		}),
	}
}

// keyBeside replaces a letter by one whose key is beside it.
func (g *Generator) keyBeside(name *string) bool {
	rows := []string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}
	s := *name
	if len(s) < 4 {
		return false
	}
	i := g.r.IntN(len(s))
	for _, row := range rows {
		if at := strings.IndexByte(row, s[i]); at >= 0 {
			beside := max(0, at-1)
			if beside == at || g.chance(0.5) {
				beside = min(at+1, len(row)-1)
			}
			*name = s[:i] + row[beside:beside+1] + s[i+1:]
		}
	}
	return *name != s
}

// misread replaces letters as a scanner does.
func (g *Generator) misread(name *string) bool {
	return len(*name) > 3 && g.rewrite(name, [][2]string{
		{"rn", "m"},
		{"m", "rn"},
		{"cl", "d"},
		{"d", "cl"},
		{"vv", "w"},
		{"w", "vv"},
		{"li", "h"},
		{"h", "li"},
		{"ii", "u"},
		{"i", "l"},
		{"l", "i"},
		{"l", "t"},
		{"e", "c"},
		{"c", "e"},
		{"o", "c"},
		{"u", "v"},
		{"v", "u"},
		{"n", "h"},
		{"h", "b"},
		{"q", "g"},
		{"g", "q"},
		{"f", "t"},
		{"nn", "m"},
		{"o", "q"},
		{"a", "o"},
	})
}

// transliterate writes a name as another clerk might from another alphabet or language.
func (g *Generator) transliterate(name *string) bool {
	return len(*name) > 3 && g.rewrite(name, [][2]string{
		{"ou", "u"},
		{"u", "ou"},
		{"oo", "u"},
		{"kh", "k"},
		{"q", "k"},
		{"k", "q"},
		{"ee", "i"},
		{"i", "ee"},
		{"y", "i"},
		{"j", "y"},
		{"sch", "sh"},
		{"sh", "sch"},
		{"w", "v"},
		{"v", "w"},
		{"ph", "f"},
		{"tz", "ts"},
		{"z", "s"},
		{"s", "z"},
		{"ei", "i"},
		{"ie", "i"},
		{"ae", "e"},
		{"oe", "o"},
		{"dh", "d"},
		{"th", "t"},
		{"aa", "a"},
		{"ss", "s"},
		{"mm", "m"},
		{"ev", "eff"},
		{"ko", "co"},
	})
}

// rewrite applies one of the rules at one of the places where it fits.
func (g *Generator) rewrite(name *string, rules [][2]string) bool {
	for _, k := range g.r.Perm(len(rules)) {
		rule := rules[k]
		var places []int
		for i := range *name {
			if strings.HasPrefix((*name)[i:], rule[0]) {
				places = append(places, i)
			}
		}
		if len(places) > 0 {
			i := places[g.r.IntN(len(places))]
			*name = (*name)[:i] + rule[1] + (*name)[i+len(rule[0]):]
			return true
		}
	}
	return false
}
