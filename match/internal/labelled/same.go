package labelled

import (
	"slices"
	"strings"
)

// class makes one kind of pair of a person; ok is false where the person does
// not allow it.
type class struct {
	name string
	same bool
	make func(g *Generator, p person) (watched, seen string, ok bool)
}

// both writes two versions of a person in independent layouts.
func both(g *Generator, p, q person) (watched, seen string, ok bool) {
	return g.written(p), g.written(q), true
}

// sameClasses are the ways one person is written twice.
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
		one("order", func(_ *Generator, p person) (string, string, bool) {
			return title(p.firstLast()), strings.ToUpper(p.lastFirst()), true
		}),
		one("order without comma", func(g *Generator, p person) (string, string, bool) {
			return g.written(p), strings.ToUpper(p.surname() + " " + p.given()), p.suffix == "" && p.middle != ""
		}),
		change("middle dropped", func(_ *Generator, p *person) bool { ok := p.middle != ""; p.middle = ""; return ok }),
		change("middle initial", func(_ *Generator, p *person) bool {
			ok := len(p.middle) > 1
			if ok {
				p.middle = p.middle[:1]
			}
			return ok
		}),
		change("suffix absent", func(_ *Generator, p *person) bool { ok := p.suffix != ""; p.suffix = ""; return ok }),
		one("suffix placed", suffixPlaced),
		one("particles", particles),
		one("apostrophe", apostrophe),
		one("accents", accents),
		one("missing blank", missingBlank),
		one("truncated", truncated),
		one("alias", alias),
		change("nickname", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.nick) }),
		change("typo in surname", func(g *Generator, p *person) bool { return g.typo(&p.last[0]) }),
		change("typo in first name", func(g *Generator, p *person) bool { return g.typo(&p.first) }),
		change("two typos", func(g *Generator, p *person) bool { return g.typo(&p.last[0]) && g.typo(&p.first) }),
		change("two typos in surname", func(g *Generator, p *person) bool {
			return len(p.last[0]) > 6 && g.typo(&p.last[0]) && g.typo(&p.last[0])
		}),
		one("hyphen", hyphens),
		one("two surnames", twoSurnames),
		change("first name spelled", func(g *Generator, p *person) bool { return g.swapForm(&p.first, g.spelled) }),
		change("surname spelled", func(g *Generator, p *person) bool { return g.swapForm(&p.last[0], g.sounds) }),
		change("respelled by sound", func(g *Generator, p *person) bool {
			if g.chance(0.5) {
				return g.respell(&p.last[0])
			}
			return g.respell(&p.first)
		}),
		one("field swap", func(_ *Generator, p person) (string, string, bool) {
			return title(p.firstLast()), strings.ToUpper(p.first + ", " + strings.TrimSpace(p.surname()+" "+p.middle)), p.suffix == ""
		}),
		change("unlisted nickname", func(g *Generator, p *person) bool { return g.petForm(&p.first) }),
		one("goes by middle", func(g *Generator, p person) (string, string, bool) {
			q := p
			q.first, q.middle = p.middle, ""
			return g.written(q), g.written(p), len(p.middle) > 2
		}),
		one("married", married),
		change("first initial", func(_ *Generator, p *person) bool { p.first = p.first[:1]; return true }),
		one("OCR", func(g *Generator, p person) (string, string, bool) {
			s := strings.ToUpper(p.lastFirst())
			t := strings.NewReplacer("O", "0", "I", "1", "S", "5").Replace(p.surname()[:0] + strings.ToUpper(p.last[0]))
			return g.written(p), strings.Replace(s, strings.ToUpper(p.last[0]), t, 1), t != strings.ToUpper(p.last[0]) && strings.ContainsAny(strings.Trim(t, "0123456789"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		}),
		change("middle and nickname", func(g *Generator, p *person) bool { p.middle = ""; return g.swapForm(&p.first, g.nick) }),
		change("typo and middle dropped", func(g *Generator, p *person) bool { p.middle = ""; return g.typo(&p.last[0]) }),
	}
	return append(classes, moreSameClasses(one, change)...)
}

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

func particles(g *Generator, p person) (watched, seen string, ok bool) {
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

func apostrophe(g *Generator, p person) (watched, seen string, ok bool) {
	q := p
	head := []string{"o", "d"}[g.r.IntN(2)]
	p.last = []string{head + "'" + p.last[0]}
	q.last = []string{head + []string{"", "’", "`", "´", "' ", " ", "ʼ"}[g.r.IntN(7)] + q.last[0]}
	return both(g, p, q)
}

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

func missingBlank(g *Generator, p person) (watched, seen string, ok bool) {
	if len(p.middle) < 2 {
		return g.written(p), strings.ToUpper(strings.Replace(p.lastFirst(), ", ", ",", 1)), true
	}
	q := p
	q.first, q.middle = p.first+p.middle, ""
	return g.written(p), g.written(q), true
}

func truncated(_ *Generator, p person) (watched, seen string, ok bool) {
	s := strings.ToUpper(p.lastFirst())
	for _, width := range []int{20, 25, 30} {
		if len(s) > width && len(s) <= width+8 && strings.IndexByte(s, ',') < width-2 {
			return title(p.firstLast()), s[:width], true
		}
	}
	return "", "", false
}

func alias(g *Generator, p person) (watched, seen string, ok bool) {
	other := g.person()
	switch g.r.IntN(3) {
	case 0:
		return g.written(p), strings.ToUpper(other.lastFirst() + " AKA " + p.lastFirst()), true
	case 1:
		return g.written(p), strings.ToUpper(p.firstLast() + " (aka " + other.first + ")"), true
	}
	nick := p
	if !g.swapForm(&nick.first, g.nick) {
		return "", "", false
	}
	p.suffix = ""
	return g.written(nick), strings.ToUpper(p.surname()+", "+p.given()) + ` "` + strings.ToUpper(nick.first) + `"`, true
}

func hyphens(g *Generator, p person) (watched, seen string, ok bool) {
	q := p
	second := g.surname(p.first)
	p.last = []string{p.last[0] + "-" + second}
	q.last = []string{q.last[0] + []string{" ", "", " - "}[g.r.IntN(3)] + second}
	if g.chance(0.3) {
		q.last = []string{second}
	}
	return both(g, p, q)
}

func twoSurnames(g *Generator, p person) (watched, seen string, ok bool) {
	spanish := []string{"garcia", "rodriguez", "martinez", "hernandez", "lopez", "gonzalez", "perez", "sanchez", "ramirez", "torres", "flores", "rivera", "gomez", "diaz", "reyes", "morales", "cruz", "ortiz", "gutierrez", "chavez"}
	q := p
	pick := func() string {
		for {
			if name := spanish[g.r.IntN(20)]; !g.namesake(g.taken[name], p.first) {
				return name
			}
		}
	}
	p.last = []string{pick(), pick()}
	q.last = slices.Clone(p.last)
	switch g.r.IntN(4) {
	case 0:
		q.last = p.last[:1]
	case 1:
		q.last = []string{p.last[0] + "-" + p.last[1]}
	}
	return g.written(p), g.written(q), p.last[0] != p.last[1]
}

func married(g *Generator, p person) (watched, seen string, ok bool) {
	q := p
	now := g.surname(p.first)
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
