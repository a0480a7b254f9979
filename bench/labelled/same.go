package labelled

import (
	"slices"
	"strings"
)

// class makes one kind of pair of a person. ok is false where the person does not allow it.
type class struct {
	// What was done to the names, for tables of results.
	name string
	// Whether the two names are one person's.
	same bool
	// Returns the two names as written.
	make func(g *Generator, p person) (watched, seen string, ok bool)
}

// both writes two versions of a person in independent layouts.
func both(g *Generator, p, q person) (watched, seen string, ok bool) {
	return g.written(p), g.written(q), true
}

// sameClasses returns the ways in which one person is written twice. Recall is measured by
// them.
func sameClasses() []class {
	one := func(name string, make func(g *Generator, p person) (string, string, bool)) class {
		return class{name: name, same: true, make: make}
	}
	change := func(name string, alter func(g *Generator, p *person) bool) class {
		return one(name, func(g *Generator, p person) (string, string, bool) {
			q := p
			q.last = slices.Clone(p.last)
			if !alter(g, &q) {
				return "", "", false
			}
			if g.chance(0.5) {
				p, q = q, p
			}
			return both(g, p, q)
		})
	}
	classes := []class{
		// John Allen Smith and SMITH, JOHN ALLEN.
		one("order", func(_ *Generator, p person) (string, string, bool) {
			return title(p.firstLast()), strings.ToUpper(p.lastFirst()), true
		}),
		// SMITH JOHN ALLEN; only with a middle name, as two words may be two people.
		one("order without comma", func(g *Generator, p person) (string, string, bool) {
			return g.written(p), strings.ToUpper(p.surname() + " " + p.given()), p.suffix == "" && p.middle != ""
		}),
		// Most watchers have no middle name where jails do.
		change("middle dropped", func(_ *Generator, p *person) bool { ok := p.middle != ""; p.middle = ""; return ok }),
		// JOHN ALLEN and JOHN A.
		change("middle initial", func(_ *Generator, p *person) bool {
			ok := len(p.middle) > 1
			if ok {
				p.middle = p.middle[:1]
			}
			return ok
		}),
		// Sources often drop JR.
		change("suffix absent", func(_ *Generator, p *person) bool { ok := p.suffix != ""; p.suffix = ""; return ok }),
		one("suffix placed", suffixPlaced),
		// DE LA CRUZ, DELACRUZ and DE-LA-CRUZ.
		one("particles", particles),
		// O'BRIEN, O BRIEN and OBRIEN.
		one("apostrophe", apostrophe),
		// MUÑOZ, MUNOZ, and what a wrong encoding makes of it.
		one("accents", accents),
		// MARYANN for MARY ANN.
		one("missing blank", missingBlank),
		// MONTGOMERY-WILLIAMS, CHRI: a column of 25 letters was full.
		one("truncated", truncated),
		// The watched name stands behind AKA, in brackets or in quotes.
		one("alias", alias),
		// BILL and WILLIAM, by the tables.
		change("nickname", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.nick) }),
		// One slip, in either name.
		change("typo in surname", func(g *Generator, p *person) bool { return g.typo(&p.last[0]) }),
		change("typo in first name", func(g *Generator, p *person) bool { return g.typo(&p.first) }),
		// One slip in each name.
		change("two typos", func(g *Generator, p *person) bool { return g.typo(&p.last[0]) && g.typo(&p.first) }),
		// Only long surnames: two slips leave little of a short one.
		change("two typos in surname", func(g *Generator, p *person) bool {
			return len(p.last[0]) > 6 && g.typo(&p.last[0]) && g.typo(&p.last[0])
		}),
		// SMITH-JONES, SMITH JONES, SMITHJONES, and JONES alone.
		one("hyphen", hyphens),
		// GARCIA LOPEZ, GARCIA-LOPEZ and GARCIA.
		one("two surnames", twoSurnames),
		// ERIC and ERIK, by the tables.
		change("first name spelled", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.ownSpelled) }),
		// SMITH and SMYTH, by the tables.
		change("surname spelled", func(g *Generator, p *person) bool { return g.swapForm(&p.last[0], g.ownSounds) }),
		// As a clerk writes what is spelled out over the telephone.
		change("respelled by sound", func(g *Generator, p *person) bool {
			if g.chance(0.5) {
				return g.respell(&p.last[0])
			}
			return g.respell(&p.first)
		}),
		// The source put first and last name into each other's column.
		one("field swap", func(_ *Generator, p person) (string, string, bool) {
			return title(p.firstLast()), strings.ToUpper(p.first + ", " + strings.TrimSpace(p.surname()+" "+p.middle)), p.suffix == ""
		}),
		// No table helps here.
		change("unlisted nickname", func(g *Generator, p *person) bool { return g.petForm(&p.first) }),
		// The watcher knows the name that the person uses.
		one("goes by middle", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.first, q.middle = p.middle, ""
			return g.written(q), g.written(p), len(p.middle) > 2
		}),
		// A surname was added or replaced; the old one is still in the name.
		one("married", married),
		// J SMITH: as much as a careful matcher may accept.
		one("first initial", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.first = p.first[:1]
			return g.written(p), g.seen(q), true
		}),
		// 0, 1 and 5 for O, I and S in a scanned list.
		one("OCR", func(g *Generator, p person) (string, string, bool) {
			s := strings.ToUpper(p.lastFirst())
			t := strings.NewReplacer("O", "0", "I", "1", "S", "5").Replace(p.surname()[:0] + strings.ToUpper(p.last[0]))
			return g.written(p), strings.Replace(s, strings.ToUpper(p.last[0]), t, 1),
				t != strings.ToUpper(p.last[0]) && strings.ContainsAny(strings.Trim(t, "0123456789"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		}),
		// Two differences at once, as in real lists.
		change("middle and nickname", func(g *Generator, p *person) bool { p.middle = ""; return g.swapForm(&p.first, g.nick) }),
		change("typo and middle dropped", func(g *Generator, p *person) bool { p.middle = ""; return g.typo(&p.last[0]) }),
	}
	return slices.Concat(classes, moreSameClasses(one, change), clerkClasses(one, change))
}

// suffixPlaced puts the suffix behind the surname, between commas, behind a comma, or
// writes it out.
func suffixPlaced(g *Generator, p person) (watched, seen string, ok bool) {
	q := p
	q.suffix = ""
	s := p.suffix
	switch g.r.IntN(4) {
	case 0:
		return g.written(p), strings.ToUpper(p.surname() + " " + s + ", " + p.given()), s != ""
	case 1:
		return g.written(p), strings.ToUpper(p.surname() + ", " + s + ", " + p.given()), s != ""
	case 2:
		return g.written(p), title(q.firstLast()) + ", " + strings.ToUpper(s) + ".", s != ""
	}
	long := map[string]string{"jr": "Junior", "sr": "Senior", "ii": "2nd", "iii": "3rd"}[s]
	return g.written(p), strings.ToUpper(q.firstLast() + " " + long), s != ""
}

// particles writes a particle apart, together or with a hyphen.
func particles(g *Generator, p person) (watched, seen string, ok bool) {
	p.last = p.last[:1]
	part := []string{"de la", "de", "del", "van", "van der", "st", "mc", "mac", "al", "el", "la", "von", "de los"}[g.r.IntN(13)]
	q := p
	p.last = []string{part + " " + p.last[0]}
	switch g.r.IntN(3) {
	case 0:
		q.last = []string{strings.ReplaceAll(p.last[0], " ", "")}
	case 1:
		q.last = []string{strings.ReplaceAll(p.last[0], " ", "-")}
	default:
		switch part {
		case "st":
			q.last = []string{"st. " + q.last[0]}
		case "mc", "mac":
			q.last = []string{part + q.last[0]}
		}
	}
	return both(g, p, q)
}

// apostrophe writes O' and D' with the many signs that sources use for the apostrophe, or
// without.
func apostrophe(g *Generator, p person) (watched, seen string, ok bool) {
	p.last = p.last[:1]
	q := p
	head := []string{"o", "d"}[g.r.IntN(2)]
	p.last = []string{head + "'" + p.last[0]}
	q.last = []string{head + []string{"", "’", "`", "´", "' ", " ", "ʼ"}[g.r.IntN(7)] + q.last[0]}
	return both(g, p, q)
}

// accents puts an accent on a letter: as it is, lost, or as UTF-8 that was read as Latin-1.
func accents(g *Generator, p person) (watched, seen string, ok bool) {
	name := g.written(p)
	i := strings.LastIndexAny(name, "aeiounAEIOUN")
	if i <= 0 {
		return "", "", false
	}
	marks := map[byte]string{'a': "á", 'e': "é", 'i': "í", 'o': "ó", 'u': "ü", 'n': "ñ", 'A': "Á", 'E': "É", 'I': "Í", 'O': "Ó", 'U': "Ü", 'N': "Ñ"}
	with := marks[name[i]]
	switch g.r.IntN(4) {
	case 0:
		with = "\uFFFD"
	case 1:
		with = string(rune(with[0])) + string(rune(with[1])) // UTF-8 read as Latin-1
	}
	return g.written(p), name[:i] + with + name[i+1:], true
}

// missingBlank writes first and middle name together, or a comma without its blank.
func missingBlank(g *Generator, p person) (watched, seen string, ok bool) {
	if len(p.middle) < 2 {
		return g.written(p), strings.ToUpper(strings.Replace(p.lastFirst(), ", ", ",", 1)), true
	}
	q := p
	q.first, q.middle = p.first+p.middle, ""
	return g.written(p), g.written(q), true
}

// truncated cuts a name at the width of a column.
func truncated(_ *Generator, p person) (watched, seen string, ok bool) {
	s := strings.ToUpper(p.lastFirst())
	for _, width := range []int{20, 25, 30} {
		if len(s) > width && len(s) <= width+8 && strings.IndexByte(s, ',') < width-2 {
			return title(p.firstLast()), s[:width], true
		}
	}
	return "", "", false
}

// alias writes the name as an alias of another one, in brackets, or with a nickname in
// quotes.
func alias(g *Generator, p person) (watched, seen string, ok bool) {
	other := g.person()
	g.wrote = append(g.wrote, other)
	switch g.r.IntN(3) {
	case 0:
		return g.written(p), strings.ToUpper(other.lastFirst() + " AKA " + p.lastFirst()), true
	case 1:
		known := p
		known.first, known.middle = other.first, ""
		g.wrote = append(g.wrote, known)
		return g.written(p), strings.ToUpper(p.firstLast() + " (aka " + other.first + ")"), true
	}
	nick := p
	if !g.swapForm(&nick.first, g.nick) {
		return "", "", false
	}
	p.suffix = ""
	return g.written(nick), strings.ToUpper(p.surname()+", "+p.given()) + ` "` + strings.ToUpper(nick.first) + `"`, true
}

// hyphens writes a double surname with and without its hyphen, or only its second half.
func hyphens(g *Generator, p person) (watched, seen string, ok bool) {
	p.last = p.last[:1]
	q := p
	second := g.surname()
	p.last = []string{p.last[0] + "-" + second}
	q.last = []string{q.last[0] + []string{" ", "", " - "}[g.r.IntN(3)] + second}
	if g.chance(0.3) {
		q.last = []string{second}
	}
	return both(g, p, q)
}

// twoSurnames writes two Spanish surnames: both, one, or with a hyphen.
func twoSurnames(g *Generator, p person) (watched, seen string, ok bool) {
	q := p
	p.last = []string{g.family("spanish"), g.family("spanish")}
	q.last = slices.Clone(p.last)
	switch g.r.IntN(4) {
	case 0:
		q.last = p.last[:1]
	case 1:
		q.last = []string{p.last[0] + "-" + p.last[1]}
	}
	return g.written(p), g.written(q), p.last[0] != p.last[1]
}

// married adds or replaces a surname, as women do who marry; the old one stays in the name.
func married(g *Generator, p person) (watched, seen string, ok bool) {
	p.last = p.last[:1]
	q := p
	now := g.surname()
	switch g.r.IntN(3) {
	case 0:
		q.last = []string{p.last[0] + "-" + now}
	case 1:
		q.middle, q.last = p.last[0], []string{now}
	default:
		q.last = []string{p.last[0], now}
	}
	return g.written(p), g.written(q), p.woman
}
