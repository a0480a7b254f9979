package match

import (
	"math/bits"
	"strings"
)

// doubled reports whether a word is another word with a second given name appended (JOHN, JOHNMICHAEL).
func doubled(long, short *word) bool {
	rest, ok := strings.CutPrefix(long.text, short.text)
	if !ok || len(rest) < 3 || len(short.text) < 3 || long.id >= 0 || short.given >= rarest {
		return false
	}
	second, ok := known().words[rest]
	return ok && second.given < rarest
}

// shortForm reports whether one word looks like a pet form of the other: its beginning or its end, with the endings
// that pet forms take.
func shortForm(x, y *word) bool {
	if len(x.text) > len(y.text) {
		x, y = y, x
	}
	if bits.OnesCount32(x.letters&^y.letters) > 2 {
		return false // even an ending brings only two letters of its own
	}
	a, b := x.text, y.text
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

// prefixed reports whether one word begins with the other.
func prefixed(a, b *word) bool {
	return strings.HasPrefix(a.text, b.text) || strings.HasPrefix(b.text, a.text)
}
