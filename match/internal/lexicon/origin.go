package lexicon

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// among is how frequent a given name is with the surnames of an origin.
type among struct {
	given  *Word
	origin uint8
}

// keptGiven is the share of people with a surname of an origin who have a given name of that origin; the others have one
// of the whole country.
const keptGiven = 0.7

// rarestOrigin is the rarity of a surname of an origin that the table of surnames leaves out.
const rarestOrigin = 13.5

// loadOrigins reads which surnames are of an origin, and how frequent given names are among those who have one. Without a
// share, names are as frequent as their place says, by Zipf's law, flattened at the top.
func (l *Lexicon) loadOrigins() {
	l.among = map[among]float32{}
	var names []string
	for fields := range l.lines("origins.txt") {
		at := slices.Index(names, fields[0])
		if at < 0 {
			at, names = len(names), append(names, fields[0])
		}
		origin := uint8(at + 1) //nolint:gosec // a handful
		if fields[1] == "surnames" {
			for _, f := range fields[2:] {
				name, _, _ := strings.Cut(f, ":")
				w := l.enter(name)
				w.Origin, w.Surname = origin, min(w.Surname, rarestOrigin)
			}
			continue
		}
		l.loadAmong(fields[2:], origin)
	}
}

// loadAmong reads the given names of an origin.
func (l *Lexicon) loadAmong(fields []string, origin uint8) {
	shares, all := make([]float64, len(fields)), 0.0
	for i, f := range fields {
		_, share, ok := strings.Cut(f, ":")
		shares[i] = 1 / float64(i+8)
		if s, err := strconv.ParseFloat(share, 64); ok && err == nil {
			shares[i] = s
		}
		all += shares[i]
	}
	for i, f := range fields {
		name, _, _ := strings.Cut(f, ":")
		w := l.enter(name)
		share := keptGiven*shares[i]/all + (1-keptGiven)*math.Exp(-float64(w.Given))
		l.among[among{w, origin}] = float32(-math.Log(share))
	}
}

// OwnGiven returns -ln of how many people have a word as their given name among those whose surname is of an origin.
func (l *Lexicon) OwnGiven(w *Word, origin uint8) float32 {
	if origin > 0 {
		if f, ok := l.among[among{w, origin}]; ok {
			return f
		}
	}
	return l.Own(w, Given)
}
