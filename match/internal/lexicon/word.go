package lexicon

import (
	"math/bits"
	"strings"

	"rollcall/match/internal/letter"
)

// Word is one part of a name with what comparing it needs, computed once. Words of the lexicon are shared. Words are
// immutable after parsing.
type Word struct {
	Text     string
	Core     string  // without particles: "cruz" of "delacruz", else text
	Surname  float32 // -ln of its frequency as a surname
	Given    float32 // -ln of its frequency as a given name
	Sound    uint32  // equal for words that sound alike
	Skeleton uint32  // equal for words with the same consonants
	Spelled  uint32  // equal for given names that are spelled alike
	Letters  uint32  // set of its letters, to refuse far words early
	ID       int32   // place in the lexicon, -1 for an unknown word
	Sex      byte    // 'm', 'f' or 'u' of a given name
	Wild     bool    // has wildcards
	Links    []Link  // other forms of the given name
	Origin   Origin  // of a surname
	Apart    bool    // a particle was written apart from it
	// -ln of how often it is written as a surname and as a given name, as bits; 0 until it is asked for.
	written [2]uint32
	// The same of how many have it from birth, where no list holds it.
	own [2]uint32
}

// makeWord computes once what comparing needs: sound, skeleton, spelling, letters.
func makeWord(text string) Word {
	w := Word{Text: text, Core: text, Surname: Rarest + 0.7, Given: Rarest, ID: -1, Sex: 'u'}
	w.Sound, w.Skeleton = letter.Sound(text)
	w.Spelled = letter.Spelling(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == letter.Wildcard:
			w.Wild = true
		case 'a' <= c && c <= 'z':
			w.Letters |= 1 << (c - 'a')
		default:
			w.Letters |= 1 << 26
		}
	}
	return w
}

// Initial reports whether the word is a single letter.
func (w *Word) Initial() bool { return len(w.Text) == 1 }

// Strayed reports whether the letters alone show that two words differ by more than two edits: each edit changes at
// most two members of the letter sets.
func Strayed(a, b *Word) bool {
	d := len(a.Text) - len(b.Text)
	return d > 2 || d < -2 || bits.OnesCount32(a.Letters^b.Letters) > 4
}

// Joins reports whether whole is a and b written together.
func Joins(whole, a, b string) bool {
	return len(whole) == len(a)+len(b) && strings.HasPrefix(whole, a) && strings.HasSuffix(whole, b)
}
