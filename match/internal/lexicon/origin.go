package lexicon

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Origin is where a surname is from: LEE is Korean, but most who have it are not. The zero Origin is none in particular.
type Origin struct {
	id uint8
	// The share of those who have the surname that is of the origin.
	share float32
}

// among is a given name with the surnames of an origin.
type among struct {
	given  *Word
	origin uint8
}

// keptGiven is the share of people of an origin who have a given name of that origin; the others have one of the whole
// country.
const keptGiven = 0.7

// mostOf is the share of an origin among those who have one of its surnames, at most: names go from hand to hand by marriage.
const mostOf = 0.95

// rarestOrigin is the rarity of a surname of an origin that the table of surnames leaves out.
const rarestOrigin = 13.5

// loadOrigins reads which surnames are of an origin, and how frequent given names are among the people of one.
func (l *Lexicon) loadOrigins() {
	l.among = map[among]float32{}
	people := 0.0
	for fields := range l.lines("origins.txt") {
		at := slices.Index(l.origins, fields[0])
		if at < 0 {
			at, l.origins = len(l.origins), append(l.origins, fields[0])
		}
		origin := uint8(at + 1) //nolint:gosec // a handful
		if fields[0] == "vietnamese" {
			l.vietnamese = origin
		}
		switch fields[1] {
		case "people":
			people = weightOf(fields[1:])
		case "surnames":
			for w, share := range l.shares(fields[2:]) {
				w.Surname = min(w.Surname, rarestOrigin)
				w.Origin = Origin{origin, float32(min(mostOf, people*share*math.Exp(float64(w.Surname))))}
			}
		case "given":
			for w, share := range l.shares(fields[2:]) {
				l.among[among{w, origin}] = float32(share)
			}
		}
	}
}

// Of returns the word of the table for an origin, and the share of those with the surname who are of it. None is empty and 0.
func (l *Lexicon) Of(o Origin) (origin string, share float64) {
	if o.id == 0 {
		return "", 0
	}
	return l.origins[o.id-1], float64(o.share)
}

// Vietnamese reports whether the table of origins has a word as a Vietnamese name of a role.
func (l *Lexicon) Vietnamese(text string, r Role) bool {
	w, ok := l.Words[text]
	if ok && r == Given {
		_, ok = l.among[among{w, l.vietnamese}]
		return ok
	}
	return ok && w.Origin.id == l.vietnamese
}

// Fits reports whether the table of origins has a word as a given name of an origin.
func (l *Lexicon) Fits(o Origin, given *Word) bool {
	_, ok := l.among[among{given, o.id}]
	return ok
}

// shares yields the names of a line, the most frequent first, with their shares. Where none is stated, names are as
// frequent as their place says, by Zipf's law, flattened at the top.
func (l *Lexicon) shares(fields []string) func(func(*Word, float64) bool) {
	shares, all := make([]float64, len(fields)), 0.0
	for i, f := range fields {
		_, share, ok := strings.Cut(f, ":")
		shares[i] = 1 / float64(i+8)
		if s, err := strconv.ParseFloat(share, 64); ok && err == nil {
			shares[i] = s
		}
		all += shares[i]
	}
	return func(yield func(*Word, float64) bool) {
		for i, f := range fields {
			name, _, _ := strings.Cut(f, ":")
			if !yield(l.enter(name), shares[i]/all) {
				return
			}
		}
	}
}

// OwnGiven returns -ln of how many people have a word as their given name among those who have a surname of an origin.
// Some of them are of the origin, and most of these have one of its given names.
func (l *Lexicon) OwnGiven(w *Word, beside Origin) float32 {
	return l.beside(w, l.Own(w, Given), beside)
}

// WrittenGiven returns -ln of how often a word is written as the given name of those who have a surname of an origin.
func (l *Lexicon) WrittenGiven(w *Word, beside Origin) float32 {
	return l.beside(w, l.Written(w, Given), beside)
}

// beside returns -ln of how frequent a given name is beside a surname of an origin, from its frequency in the country.
func (l *Lexicon) beside(w *Word, own float32, of Origin) float32 {
	if of.share == 0 {
		return own
	}
	kept := float64(of.share) * keptGiven
	share := (1-kept)*math.Exp(-float64(own)) + kept*float64(l.among[among{w, of.id}])
	return float32(-math.Log(share))
}

// LeansGiven returns how much more a word is used as a given name, beside a surname of an origin, than as a surname, in nats.
// It recognises a swapped name and a second surname. A name of the whole country leans as much beside any surname. A word that no table of given names holds is rarer than the tables'
// Rarest.
func (l *Lexicon) LeansGiven(w *Word, beside Origin) float32 {
	given := w.Given
	if given >= Rarest {
		given = unheardGiven
	}
	return w.Surname - min(given, l.beside(w, given, beside))
}

// unheardGiven is -ln of how often a listed surname that no table of given names holds is one all the same.
const unheardGiven = 16.5
