package match

import "sync/atomic"

// kin is which given names of a segment may be one given name of a booking. A name is compared when it is asked for, and
// never again: below the surnames that are near a booking's the same given names stand over and over. It is safe for
// concurrent use.
type kin struct {
	word *word
	// Two bits for each given name of the segment, by its number: whether it was compared, and whether it may be the word.
	bits []atomic.Uint32
}

// bitsEach is the bits of a given name, namesEach how many names an element of kin.bits holds.
const (
	bitsEach  = 2
	namesEach = 32 / bitsEach
	compared  = 1
	may       = 2
)

// newKin returns the kin of a word, of which nothing was compared, among n given names.
func newKin(w *word, n int) *kin {
	return &kin{word: w, bits: make([]atomic.Uint32, (n+namesEach-1)/namesEach)}
}

// reuse makes a kin that of another word.
func (k *kin) reuse(w *word, n int) *kin {
	if len(k.bits) < (n+namesEach-1)/namesEach {
		return newKin(w, n)
	}
	k.word = w
	clear(k.bits)
	return k
}

// has reports whether given name n of the segment may be the word.
func (k *kin) has(n uint32, givens []*word) bool {
	at, shift := &k.bits[n/namesEach], n%namesEach*bitsEach
	known := at.Load() >> shift
	if known&compared == 0 {
		known = compared
		if mayBe(k.word, givens[n]) {
			known |= may
		}
		at.Or(known << shift)
	}
	return known&may != 0
}

// mayBe reports whether two given names may be one.
func mayBe(a, b *word) bool {
	return a == b || prefixed(a, b) || relateGiven(a, b, asWatched).related()
}

// kept is how many words of the tables keep their kin from booking to booking in a segment. One that comes later takes
// the place of another.
const kept = 2048

// keptGiven is the rarity from which on a given name comes too seldom to be kept: 3,100 names are more frequent.
const keptGiven = 11

// keptKin is the kin of frequent given names of bookings, at places by the words' ids.
type keptKin [kept]atomic.Pointer[kin]

// of returns the kin of a word among n given names; ok is false for a word that is not kept.
func (k *keptKin) of(w *word, n int) (found *kin, ok bool) {
	if w.ID < 0 || w.Apart || w.Given > keptGiven {
		return nil, false
	}
	place := &k[w.ID%kept]
	found = place.Load()
	if found == nil || found.word != w {
		found = newKin(w, n)
		place.Store(found)
	}
	return found, true
}

// kinOf returns the kin of a given name of the booking in a segment.
func (w *scratch) kinOf(g *word, s *segment) *kin {
	if k, ok := s.kept.of(g, len(s.givens)); ok {
		return k
	}
	for _, k := range w.kins[:w.kinUsed] {
		if k.word == g {
			return k
		}
	}
	if w.kinUsed == len(w.kins) {
		w.kins = append(w.kins, newKin(g, len(s.givens)))
	} else {
		w.kins[w.kinUsed] = w.kins[w.kinUsed].reuse(g, len(s.givens))
	}
	w.kinUsed++
	return w.kins[w.kinUsed-1]
}
