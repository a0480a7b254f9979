package lexicon

import "strings"

// Form is how two given names are forms of one, by the tables.
type Form uint8

// The forms, the closest last.
const (
	// Another name: no table ties the two.
	Another Form = iota
	// SharedName ties two nicknames of one formal name, and a nickname to the formal name in another language.
	SharedName
	Nickname
	// Variant is a spelling.
	Variant
)

// Link ties a given name to another form of it.
type Link struct {
	To *Word
	// The other's ID, which is read far more often than the other.
	id   int32
	Form Form
}

// LinkTo returns how the tables tie two given names.
func (w *Word) LinkTo(other *Word) Form {
	for i := range w.Links {
		if w.Links[i].id == other.ID {
			return w.Links[i].Form
		}
	}
	return Another
}

// Sounding returns the surnames that the tables tie to a surname.
func (l *Lexicon) Sounding(w *Word) []*Word { return l.sounding[w.ID] }

// loadVariants links the spellings of one given name, and one given name in two languages. It returns, for each name, the
// names that it is spelled like. Those of another language are none: their short forms are others.
func (l *Lexicon) loadVariants() map[string][]string {
	spelled := make(map[string][]string)
	for pair := range l.lines("equivalents.txt") {
		l.linkGiven(pair[0], pair[1], Variant)
		l.abroad[pair[0]] = append(l.abroad[pair[0]], pair[1])
		l.abroad[pair[1]] = append(l.abroad[pair[1]], pair[0])
	}
	for names := range l.lines("variants.txt") {
		for _, a := range names {
			for _, b := range names {
				if a != b {
					l.linkGiven(a, b, Variant)
					spelled[a] = append(spelled[a], b)
				}
			}
		}
	}
	return spelled
}

// loadNicknames links a formal name, in every spelling, to its short forms. Short forms of one name share it, and so do a short form
// and the formal name in another language: JACK and JUAN. Closer links already made stay.
func (l *Lexicon) loadNicknames(spelled map[string][]string) {
	for fields := range l.lines("nicknames.txt") {
		formal, short := strings.TrimSuffix(fields[0], ":"), fields[1:]
		for _, nick := range short {
			for _, f := range append([]string{formal}, spelled[formal]...) {
				l.linkGiven(f, nick, Nickname)
			}
			l.linkGiven(formal, nick, Nickname)
			for _, other := range spelled[nick] {
				if !l.otherSex(formal, other) { // STEVIE is short for STEPHANIE, and STEVE is not
					l.linkGiven(formal, other, Nickname)
				}
			}
		}
	}
	for fields := range l.lines("nicknames.txt") {
		for _, e := range l.abroad[strings.TrimSuffix(fields[0], ":")] {
			for _, nick := range fields[1:] {
				l.linkGiven(e, nick, SharedName)
			}
		}
		for i, a := range fields[1:] {
			for _, b := range fields[i+2:] {
				l.linkGiven(a, b, SharedName)
			}
		}
	}
}

// otherSex reports whether one given name is a man's and the other a woman's.
func (l *Lexicon) otherSex(a, b string) bool {
	x, y := l.enter(a).Sex, l.enter(b).Sex
	return x != y && x != 'u' && y != 'u'
}

// linkGiven links two forms of a given name both ways.
func (l *Lexicon) linkGiven(a, b string, r Form) {
	if a == b {
		return
	}
	x, y := l.enter(a), l.enter(b)
	if x.LinkTo(y) == Another {
		x.Links = append(x.Links, Link{y, y.ID, r})
		y.Links = append(y.Links, Link{x, x.ID, r})
	}
}

// linkSurnames links surnames that sound alike.
func (l *Lexicon) linkSurnames(names []string) {
	for _, a := range names {
		for _, b := range names {
			if a == b {
				continue
			}
			wa, wb := l.enter(a), l.enter(b)
			l.sounding[wa.ID] = append(l.sounding[wa.ID], wb)
		}
	}
}
