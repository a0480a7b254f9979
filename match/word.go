package match

import (
	"math/bits"
	"strings"

	"rollcall/match/internal/letter"
)

// word is one part of a name with what comparing it needs, computed once. Words of the lexicon are shared. Words are
// immutable after parsing.
type word struct {
	text     string
	core     string  // without particles: "cruz" of "delacruz", else text
	surname  float32 // -ln of its frequency as a surname
	given    float32 // -ln of its frequency as a given name
	sound    uint32  // equal for words that sound alike
	skeleton uint32  // equal for words with the same consonants
	spelled  uint32  // equal for given names that are spelled alike
	letters  uint32  // set of its letters, to refuse far words early
	id       int32   // place in the lexicon, -1 for an unknown word
	sex      byte    // 'm', 'f' or 'u' of a given name
	wild     bool    // has wildcards
	links    []link  // other forms of the given name
}

// link ties a given name to another form of it.
type link struct {
	to   *word
	kind relation
}

// linkTo returns how the tables tie two given names, unrelated when they do not.
func (w *word) linkTo(other *word) relation {
	for i := range w.links {
		if w.links[i].to == other {
			return w.links[i].kind
		}
	}
	return unrelated
}

// newWord returns a word that no table has.
func newWord(text string) *word {
	w := makeWord(text)
	return &w
}

// makeWord computes once what comparing needs: sound, skeleton, spelling, letters.
func makeWord(text string) word {
	w := word{text: text, core: text, surname: rarest + 0.7, given: rarest, id: -1, sex: 'u'}
	w.sound, w.skeleton = letter.Sound(text)
	w.spelled = letter.Spelling(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == letter.Wildcard:
			w.wild = true
		case 'a' <= c && c <= 'z':
			w.letters |= 1 << (c - 'a')
		default:
			w.letters |= 1 << 26
		}
	}
	return w
}

// initial reports whether the word is a single letter.
func (w *word) initial() bool { return len(w.text) == 1 }

// leansGiven returns how much more a word is used as a given name than as a surname, in nats. It recognises a swapped
// name and a second surname. A word that no table of given names holds is rarer than the tables' rarest.
func (w *word) leansGiven() float32 {
	given := w.given
	if given >= rarest {
		given = unheardGiven
	}
	return w.surname - given
}

// unheardGiven is -ln of how often a listed surname that no table of given names holds is one all the same.
const unheardGiven = 16.5

// strayed reports whether the letters alone show that two words differ by more than two edits: each edit changes at
// most two members of the letter sets.
func strayed(a, b *word) bool {
	d := len(a.text) - len(b.text)
	return d > 2 || d < -2 || bits.OnesCount32(a.letters^b.letters) > 4
}

// joins reports whether whole is a and b written together.
func joins(whole, a, b string) bool {
	return len(whole) == len(a)+len(b) && strings.HasPrefix(whole, a) && strings.HasSuffix(whole, b)
}
