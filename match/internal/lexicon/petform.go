package lexicon

import (
	"math/bits"
	"strings"
)

// Doubled reports whether a word is another word with a second given name appended (JOHN, JOHNMICHAEL).
func (l *Lexicon) Doubled(long, short *Word) bool {
	rest, ok := strings.CutPrefix(long.Text, short.Text)
	if !ok || len(rest) < 3 || len(short.Text) < 3 || long.ID >= 0 || short.Given >= Rarest {
		return false
	}
	second, ok := l.Words[rest]
	return ok && second.Given < Rarest
}

// Seconds reports whether a word is another word behind a given name (JOHN, JOHNMICHAEL): whoever has both is called by
// the first of them.
func (l *Lexicon) Seconds(long, second *Word) bool {
	first, ok := strings.CutSuffix(long.Text, second.Text)
	if !ok || len(first) < 3 || len(second.Text) < 3 || long.ID >= 0 || second.Given >= Rarest {
		return false
	}
	w, ok := l.Words[first]
	return ok && w.Given < Rarest
}

// ShortForm reports whether one word looks like a pet form of the other: its beginning or its end, with the endings
// that pet forms take.
func ShortForm(x, y *Word) bool {
	if len(x.Text) > len(y.Text) {
		x, y = y, x
	}
	return petForm(x, y) || len(x.Text) == len(y.Text) && petForm(y, x)
}

// petForm reports whether x looks like a pet form of y.
func petForm(x, y *Word) bool {
	if bits.OnesCount32(x.Letters&^y.Letters) > 2 {
		return false // even an ending brings only two letters of its own
	}
	a, b := x.Text, y.Text
	stem := a
	for _, end := range [...]string{"ie", "ey", "y", "i", "ee", "s", "z"} {
		if s, ok := strings.CutSuffix(stem, end); ok && len(s) >= 3 {
			stem = s
			break
		}
	}
	if n := len(stem); n > 3 && stem[n-1] == stem[n-2] {
		stem = stem[:n-1]
	}
	switch {
	case len(stem) < 3 || len(b) < len(stem)+2:
		return len(a) >= 2 && len(a) < 3 && len(b) >= 4 && strings.HasPrefix(b, a)
	case strings.HasPrefix(b, stem):
		return true
	}
	return len(a) >= 4 && strings.HasSuffix(b, a) || len(stem) >= 4 && strings.Contains(b, stem)
}
