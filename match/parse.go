package match

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"rollcall/match/internal/letter"
	"rollcall/match/internal/token"
)

// Parse reads a name as a source or a watcher writes it: either order, with or without comma, suffix anywhere,
// particles, hyphens, brackets, AKA, accents, apostrophes, OCR digits and lost letters. A name in which nothing can be
// read is an empty Name, which matches nothing. It never fails, and its work is bounded whatever the text.
func Parse(name string) Name {
	if len(name) > maxNameBytes {
		name = name[:maxNameBytes]
	}
	p := parser{cut: columnWidth(strings.TrimRight(name, " "))}
	parts := token.Segments(bounded(letter.Clean(name)))
	for i, part := range parts[:min(len(parts), maxSegments)] {
		p.alias = i > 0
		p.segment(part)
	}
	return Name{readings: p.chosen()}
}

const (
	// maxNameBytes bounds the work on one name, before and after decomposition: one character may become eighteen.
	maxNameBytes = 400
	// maxSegments bounds how many names a text may hold, aliases included.
	maxSegments = 16
)

// bounded returns a cleaned name, cut at the last whole character that fits.
func bounded(s string) string {
	if len(s) <= maxNameBytes {
		return s
	}
	n := maxNameBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// columnWidth reports whether a name fills a column of a usual width, so that its end may have been cut off.
func columnWidth(name string) bool {
	switch len([]rune(name)) {
	case 20, 25, 30, 35, 40:
		return true
	}
	return false
}

// parser collects the readings of one name.
type parser struct {
	readings []reading
	// The name fills a column, so its last word may be cut off.
	cut bool
	// The part behind AKA is being read.
	alias bool
}

// segment reads one name. With a comma its two sides are known; without one both orders are tried.
func (p *parser) segment(s string) {
	toks, suf := token.Tokenize(s)
	if len(toks) == 0 {
		return
	}
	if p.alias && len(toks) == 1 && len(p.readings) > 0 {
		p.oneWordAlias(toks[0].Text)
		return
	}
	from := len(p.readings)
	at := slices.IndexFunc(toks, func(t token.Token) bool { return t.Comma })
	if at > 0 {
		p.withComma(glue(toks[:at], true, false), glue(toks[at:], false, true))
	} else {
		p.withoutComma(glue(toks, false, false), 0)
	}
	for i := from; i < len(p.readings); i++ {
		r := &p.readings[i]
		r.suffix, r.cut = suf, p.cut && suf == token.None
		if p.alias {
			r.how, r.prior = asAlias, r.prior-0.3
		}
	}
}

// oneWordAlias reads "AKA BILL" as another given name and "NEE JONES" as another surname of the main name, by how the
// word is used more.
func (p *parser) oneWordAlias(text string) {
	w, main := known().Word(text), p.readings[0]
	lean := known().LeansGiven(w, main.surname[0].Origin)
	if lean > -2 {
		r := main
		r.given[0], r.givs = w, max(r.givs, 1)
		r.how, r.prior = asAlias, -0.3
		p.readings = append(p.readings, r)
	}
	if lean < 2 {
		r := main
		r.surname, r.surs = [maxSurnames]*word{w}, 1
		r.how, r.prior = asAlias, -0.3
		p.readings = append(p.readings, r)
	}
}

// add appends a reading with these surnames and given names. What is beyond the limits of a reading is dropped; without
// a surname there is no reading.
func (p *parser) add(last, given []unit, prior float32, how origin, surnameLast bool) {
	r := reading{prior: prior, how: how, surnameLast: surnameLast}
	for _, u := range last {
		for _, w := range u.words {
			if int(r.surs) < maxSurnames {
				r.surname[r.surs] = w
				r.surs++
			}
		}
	}
	for _, u := range given {
		for _, w := range u.words {
			if int(r.givs) < maxGiven {
				r.given[r.givs] = w
				r.givs++
			}
		}
	}
	if r.surs > 0 {
		p.readings = append(p.readings, r)
	}
}

// chosen returns the most plausible readings, at most maxReadings.
func (p *parser) chosen() []reading {
	slices.SortStableFunc(p.readings, func(a, b reading) int { return cmp.Compare(b.prior, a.prior) })
	if len(p.readings) > maxReadings {
		p.readings = p.readings[:maxReadings]
	}
	return slices.Clip(p.readings)
}
