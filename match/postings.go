package match

import (
	"cmp"
	"math/bits"
	"slices"

	"rollcall/match/internal/letter"
)

// postings find the watchers whose surname is near a booking's and whose given name may be. Distinct surnames are found
// by hashed keys: the word itself, what is left of it without one letter or two (two words as many slips apart share one), its
// sound, its beginning, and what is left of a particle. Below a surname, watchers are grouped by given name, so that one
// comparison speaks for a whole group.
type postings struct {
	// Surnames by their number.
	surnames []*word
	// Hash of a key, then the surname's number; sorted.
	keys []uint64
	// Where the keys begin whose hash has these first bits, and how many bits follow them. One more stands at the end.
	starts []uint32
	shift  int
	// By surname: end of its groups.
	groupEnd []uint32
	// Given names by their number; the first is none.
	givens []*word
	// By group: the number of the given name.
	groupGiven []uint32
	// By group: end of its slots.
	slotEnd []uint32
	// Watchers, by group.
	slots []uint32
}

// Salts keep the kinds of keys apart.
const (
	saltText   = 0x9e37_79b9
	saltSound  = 0x85eb_ca6b
	saltPrefix = 0x27d4_eb2f
)

// How much of a surname is a key of its own, and what a column may leave of it.
const (
	prefixLength = 5
	shortestCut  = 4
)

// posting is one way to a watcher while the postings are built.
type posting struct{ surname, given, slot uint32 }

// numbering numbers distinct words by text.
type numbering struct {
	of    map[string]uint32
	words []*word
}

// number returns the number of a word, the next one for a new word. 0 is no word.
func (n *numbering) number(w *word) uint32 {
	if w == nil {
		return 0
	}
	i, ok := n.of[w.Text]
	if !ok {
		i = slotOf(len(n.words))
		n.of[w.Text] = i
		n.words = append(n.words, w)
	}
	return i
}

// buildPostings sorts watchers by surname and given name, and hashes each surname's keys.
func buildPostings(s *segment) postings {
	surnames := &numbering{of: map[string]uint32{}}
	givens := &numbering{of: map[string]uint32{}, words: []*word{nil}}
	var all []posting
	for i := range s.len() {
		slot := slotOf(i)
		name := s.name(slot)
		for k := range name.readings {
			all = appendPostings(all, &name.readings[k], slot, surnames, givens)
		}
	}
	slices.SortFunc(all, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.surname, b.surname), cmp.Compare(a.given, b.given), cmp.Compare(a.slot, b.slot))
	})
	all = slices.Compact(all)
	p := postings{surnames: surnames.words, givens: slices.Clip(givens.words), slots: make([]uint32, len(all)), groupEnd: make([]uint32, len(surnames.words))}
	for i, e := range all {
		p.slots[i] = e.slot
		if i == 0 || all[i-1].surname != e.surname || all[i-1].given != e.given {
			p.groupGiven = append(p.groupGiven, e.given)
			p.slotEnd = append(p.slotEnd, 0)
		}
		p.slotEnd[len(p.slotEnd)-1] = slotOf(i + 1)
		p.groupEnd[e.surname] = slotOf(len(p.groupGiven))
	}
	p.groupGiven, p.slotEnd = slices.Clip(p.groupGiven), slices.Clip(p.slotEnd)
	p.keys = surnameKeys(surnames.words)
	p.starts, p.shift = startsOf(p.keys)
	return p
}

// startsOf returns where the keys of each beginning of a hash start, about eight keys each.
func startsOf(keys []uint64) (starts []uint32, shift int) {
	shift = min(32, 32-bits.Len(uint(len(keys)/8)))
	starts = make([]uint32, 1<<(32-shift)+1)
	for i, k := range keys {
		starts[k>>32>>shift+1] = slotOf(i + 1)
	}
	for i := range starts[1:] {
		starts[i+1] = max(starts[i+1], starts[i])
	}
	return starts, shift
}

// withKey appends the numbers of the surnames that have a key.
func (p *postings) withKey(dst []uint32, hash uint32) []uint32 {
	at := hash >> p.shift
	for _, k := range p.keys[p.starts[at]:p.starts[at+1]] {
		if uint32(k>>32) == hash {
			dst = append(dst, uint32(k)) //nolint:gosec // the lower half
		}
	}
	return dst
}

// appendPostings appends each surname with the first two given names: people are booked under either.
func appendPostings(all []posting, r *reading, slot uint32, surnames, givens *numbering) []posting {
	add := func(surname uint32) {
		if r.givs == 0 {
			all = append(all, posting{surname, 0, slot})
		}
		for g := range min(int(r.givs), 2) {
			if g == 0 || !r.given[g].Initial() {
				all = append(all, posting{surname, givens.number(r.given[g]), slot})
			}
		}
	}
	for i := range int(r.surs) {
		add(surnames.number(r.surname[i]))
		if i > 0 {
			joined := r.surname[i-1].Text + r.surname[i].Text
			if n, ok := surnames.of[joined]; ok {
				add(n)
			} else {
				add(surnames.number(known().Word(joined)))
			}
		}
	}
	return all
}

// surnameKeys returns the sorted keys by which surnames are found.
func surnameKeys(words []*word) []uint64 {
	keys := make([]uint64, 0, 30*len(words))
	var hashes []uint32
	for i, w := range words {
		hashes = appendKeys(hashes[:0], w)
		if len(w.Text) > shortestCut {
			hashes = append(hashes, letter.Hash(w.Text[:shortestCut])^saltPrefix)
		}
		for _, h := range hashes {
			keys = append(keys, uint64(h)<<32|uint64(i))
		}
	}
	slices.Sort(keys)
	return slices.Clip(slices.Compact(keys))
}

// appendKeys appends the hashes of all keys of a surname.
func appendKeys(dst []uint32, w *word) []uint32 {
	dst = append(dst, letter.Hash(w.Text)^saltText, w.Sound^saltSound)
	if len(w.Text) > prefixLength {
		dst = append(dst, letter.Hash(w.Text[:prefixLength])^saltPrefix)
	}
	if w.Core != w.Text {
		dst = append(dst, letter.Hash(w.Core)^saltText)
	}
	return letter.AppendDeletes(dst, w.Text, saltText)
}
