package match

import (
	"strings"

	"rollcall/match/internal/lexicon"
	"rollcall/match/internal/token"
)

// unit is one word, or several that a hyphen ties, with particles joined on.
type unit struct {
	words []*word
	// Its words were tied by a hyphen, so they are one name.
	hyphen bool
}

// glue joins particles to the word that they belong to, and hyphenated words to units. inSurname means that the tokens
// are known to be surnames, given that they are known to be given names.
func glue(toks []token.Token, inSurname, given bool) []unit {
	var units []unit
	for i := 0; i < len(toks); {
		start, tied := i, toks[i].Hyphen
		for i+1 < len(toks) && isParticle(toks, i, start, inSurname, given) {
			i++
		}
		text, core := spellAll(toks[start:i])
		w := known().Word(text + saintTogether(toks[i].Text, given))
		if text != "" {
			c := *w
			c.Core, c.Apart = core+toks[i].Text, true
			w = &c
		}
		i++
		if tied && len(units) > 0 {
			u := &units[len(units)-1]
			u.words, u.hyphen = append(u.words, w), true
			continue
		}
		units = append(units, unit{words: []*word{w}})
	}
	return units
}

// spellAll returns particles written together: all of them, and those that make a name of their own.
func spellAll(particle []token.Token) (all, own string) {
	var text, core strings.Builder
	for _, t := range particle {
		text.WriteString(spell(t.Text))
		if token.Particles[t.Text].Own {
			core.WriteString(spell(t.Text))
		}
	}
	return text.String(), core.String()
}

// spell returns ST for SAINT; other particles stay.
func spell(particle string) string {
	if particle == "saint" {
		return "st"
	}
	return particle
}

// saintTogether returns ST with the rest of a surname that begins with SAINT (SAINTLOUIS), as where it is written apart. SAINTIL is a
// name of its own: STIL is none.
func saintTogether(text string, given bool) string {
	rest, saint := strings.CutPrefix(text, "saint")
	if !saint || given || len(rest) < 3 {
		return text
	}
	if w, ok := known().Words["st"+rest]; ok && w.Surname < lexicon.Rarest {
		return w.Text
	}
	if _, ok := known().Words[text]; !ok {
		return "st" + rest
	}
	return text
}

// isLetterParticle distinguishes JOHN O BRIEN from JOHN O SMITH. The two words together must be a surname. Outside of a
// part that is known to be surnames it must also be better known than the second word alone: LINDA D ACOSTA has an
// initial.
func isLetterParticle(letter, next string, inSurname bool) bool {
	whole, ok := known().Words[letter+next]
	if _, particle := token.Particles[next]; !ok || particle {
		return false
	}
	rest, ok := known().Words[next]
	return inSurname || letter == "o" && (!ok || whole.Surname < rest.Surname)
}

// isParticle reports whether a word is joined to the next. DE LA CRUZ is one surname, but DE at the beginning may be a
// given name.
func isParticle(toks []token.Token, i, start int, inSurname, given bool) bool {
	t, next := toks[i].Text, toks[i+1].Text
	if _, ok := token.Particles[t]; !ok || len(next) < 2 || given && !token.GivenParticles[t] {
		return false
	}
	if !inSurname && start == 0 && len(t) > 1 && t != "mc" && t != "st" && !given && !token.GivenParticles[t] && t != "dela" {
		return false // AL JONES, VAN NGUYEN, BEN SMITH: a given name
	}
	if (t == "van" || t == "le") && isVietnamese(toks, i) || t == "le" && toks[i+1].Hyphen {
		return false // a man's middle name, and the surname LE
	}
	if given && i == 0 {
		return false
	}
	if len(t) == 1 {
		return isLetterParticle(t, next, inSurname)
	}
	return true
}

// surnameFirst reports whether VAN or LE stands behind a Vietnamese surname and before a given name of that origin: TRAN VAN MINH.
func surnameFirst(toks []token.Token, i int) bool {
	return i == 1 && known().Vietnamese(toks[0].Text, lexicon.Surname) && known().Vietnamese(toks[i+1].Text, lexicon.Given)
}

// isVietnamese reports whether VAN or LE is a word of a Vietnamese name rather than a particle: before a surname of that origin,
// and behind a given name of it, unless the two words are a surname (KIM VAN HORN).
func isVietnamese(toks []token.Token, i int) bool {
	next := toks[i+1].Text
	if known().Vietnamese(next, lexicon.Surname) || surnameFirst(toks, i) {
		return true
	}
	_, whole := known().Words[toks[i].Text+next]
	return i > 0 && !whole && known().Vietnamese(toks[i-1].Text, lexicon.Given)
}
