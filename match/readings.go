package match

import (
	"slices"

	"rollcall/match/internal/lexicon"
)

// leans returns how much the words of a unit are used as given names, beside a surname of an origin, rather than as surnames, in
// nats, bounded to ±8; initials count nothing. A word that no table holds is a surname more often: the tables hold nearly all given names,
// but nine tenths of the surnames only.
func (u unit) leans(beside lexicon.Origin) float32 {
	var sum float32
	for _, w := range u.words {
		switch {
		case w.Initial():
		case w.ID < 0:
			sum += leanUnknown
		default:
			sum += known().LeansGiven(w, beside)
		}
	}
	return max(-8, min(8, sum/float32(len(u.words))))
}

// leanUnknown is how much a word that no table holds leans to given names, in nats.
const leanUnknown = -1.5

// origin returns where a unit is from, if it is a surname.
func (u unit) origin() lexicon.Origin { return u.words[0].Origin }

// second returns how much a unit leans to given names where it stands between a first name and a surname. An origin says nothing:
// its names are more frequent there as given names and as surnames alike.
func (u unit) second() float32 { return u.leans(lexicon.Origin{}) }

// alsoGiven reports whether a unit is a word that people have as a given name too, if seldom (HOUSTON, GRIFFIN):
// between a first name and a surname it is then a middle name before anything else.
func (u unit) alsoGiven() bool { return len(u.words) == 1 && u.words[0].Given < lexicon.Rarest }

// initial reports whether a unit is a single letter.
func (u unit) initial() bool { return len(u.words) == 1 && u.words[0].Initial() }

// withComma reads LAST, FIRST MIDDLE. The comma fixes the roles; only strong frequencies on both sides suggest that
// they were swapped.
func (p *parser) withComma(last, given []unit) {
	p.add(last, given, 0, asWritten, false)
	if len(given) == 0 || len(last) == 0 {
		return
	}
	l, g := last[0].leans(given[0].origin()), given[0].leans(last[0].origin())
	if len(last) == 1 && l > 0 && g < 0 {
		p.add(given[:1], append([]unit{last[0]}, given[1:]...), swapPrior(l-g), asSwapped, false)
	}
	if n := len(given); len(last) == 1 && n > 1 && l > 0.5 && given[n-1].second() < -0.5 && !given[n-1].initial() {
		// JOHN, ALLEN SMITH: a comma after the given name.
		p.add(given[n-1:], append([]unit{last[0]}, given[:n-1]...), swapPrior(l-given[n-1].second()), asSwapped, true)
	}
	if len(last) == 1 && len(last[0].words) == 1 && len(given) > 1 {
		if extra := given[len(given)-1]; !extra.initial() && extra.second() < -1 {
			// LOPEZ, JUAN GARCIA: a second surname, or one from before a marriage.
			prior := float32(-1.2)
			switch {
			case extra.alsoGiven():
				prior = min(-3, -5.2-0.45*extra.second())
			case extra.second() > -3:
				prior = -2.5
			}
			p.add([]unit{last[0], extra}, given[:len(given)-1], prior, asTwoSurnames, false)
		}
	}
}

// swapPrior returns the prior of an order that only frequencies suggest. lean is the evidence in nats that both words
// lean to the other role.
func swapPrior(lean float32) float32 { return min(-0.4, -9+1.05*lean) }

// withoutComma reads FIRST MIDDLE LAST, LAST FIRST MIDDLE where frequencies allow it, and two surnames at the end or
// the beginning.
func (p *parser) withoutComma(units []unit, prior float32) {
	n := len(units)
	if n == 1 {
		p.add(units, nil, prior, asWritten, true)
		p.trySplit(units, prior)
		return
	}
	first, final := units[0], units[n-1]
	lean := final.leans(first.origin()) - first.leans(final.origin()) // above 0: the first word is the surname
	plain := prior
	if final.initial() {
		plain -= 6 // SMITH JOHN A
	}
	p.add(units[n-1:], units[:n-1], plain, asWritten, true)
	back := lastFirstPrior(lean, n, final.initial())
	if n == 2 && first.leans(final.origin()) > -0.5 {
		back -= 2.5 // SCOTT JEREMY: a given name first needs no other explanation
	}
	if n == 2 && first.lone() && final.lone() && (first.words[0].ID < 0 || final.words[0].ID < 0) && lean > -2 {
		back = max(back, unheardOrder)
	}
	if back > -6 {
		p.add(units[:1], units[1:], prior+back, asLastFirst, false)
	}
	if n > 2 && !units[n-2].initial() && !final.hyphen && !final.initial() {
		two, least := -1.3-0.45*units[n-2].second(), float32(-2.5)
		if units[n-2].alsoGiven() {
			two, least = two-3, -5
		}
		if units[n-2].opens() {
			two = 0
		}
		if two = min(two, -0.1); two > least {
			p.add(units[n-2:], units[:n-2], prior+two, asTwoSurnames, true)
		}
	}
	switch {
	case n > 2 && vietnameseOrder(units):
		p.add(units[:1], slices.Concat(units[n-1:], units[1:n-1]), prior-0.1, asLastFirst, false)
	case koreanOrder(units):
		p.add(units[:1], units[1:], prior-0.1, asLastFirst, false)
	}
	if n > 2 && first.second() < -1 && units[1].second() < -1 && final.second() > 0 {
		p.add(units[:2], units[2:], prior-0.8, asTwoSurnames, false)
	}
	if prior == 0 {
		p.trySplit(units, prior)
	}
}

// opens reports whether a word is the first of a surname of two words, if another one follows: ABDUL AZIZ, BEN ALI.
func (u unit) opens() bool {
	if !u.lone() {
		return false
	}
	switch u.words[0].Text {
	case "abdul", "abdel", "abd", "ben":
		return true
	}
	return false
}

// unheardOrder is the prior of LAST FIRST in two words, one of which no table holds (MOONSAIL ORLA). Frequencies cannot
// say which order it is, and so rare a word hardly agrees by chance.
const unheardOrder = -3

// lone reports whether a unit is one word and no initial.
func (u unit) lone() bool { return len(u.words) == 1 && !u.words[0].Initial() }

// lastFirstPrior returns the prior of LAST FIRST without a comma. Two words the other way round may well be another
// person (JAMES THOMAS, THOMAS JAMES), whose alerts nobody wants. Three words that agree one place on hardly are, so
// they need less evidence.
func lastFirstPrior(lean float32, words int, finalInitial bool) float32 {
	if finalInitial {
		return -0.3
	}
	if words > 2 {
		return min(-0.3, -5+0.6*lean)
	}
	return min(-0.3, -9+1.05*lean)
}

// trySplit separates a word that no table holds into two names that were written together (JOHNALLEN SMITH, JOHNSMITH).
func (p *parser) trySplit(units []unit, prior float32) {
	for i, u := range units {
		if len(u.words) != 1 || u.words[0].ID >= 0 || len(u.words[0].Text) < 7 {
			continue
		}
		a, b := split(u.words[0].Text)
		if a == nil {
			continue
		}
		apart := append(append([]unit{}, units[:i]...), unit{words: []*word{a}}, unit{words: []*word{b}})
		from := len(p.readings)
		p.withoutComma(append(apart, units[i+1:]...), prior-1)
		for j := from; j < len(p.readings); j++ {
			p.readings[j].how = asSplit
		}
		return
	}
}

// split returns the two most usual names that make up a text, nil for none.
func split(text string) (a, b *word) {
	best := float32(18)
	words := known().Words
	for i := 3; i <= len(text)-3; i++ {
		x, ok := words[text[:i]]
		if !ok {
			continue
		}
		y, ok := words[text[i:]]
		if !ok {
			continue
		}
		if sum := min(x.Given, x.Surname) + min(y.Given, y.Surname); sum < best {
			a, b, best = x, y, sum
		}
	}
	return a, b
}
