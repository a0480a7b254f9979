package search

import (
	"math/bits"
	"slices"
)

// postings holds the positions of each word, ascending: in one list for all words, or as a bitmap
// for the few words that are in very many names.
type postings struct {
	// Occurrences of each word.
	counts []uint32
	// Start of each word in lists; words with a bitmap have no part of it.
	starts []uint32
	// Positions of the words, one word after another, each ascending.
	lists []uint32
	// Bitmaps of the words that are in very many names.
	maps map[uint32][]uint64
}

// newPostings returns the postings of n words. ends and ids are those of a segment.
func newPostings(n int, ends, ids []uint32) postings {
	p := postings{counts: make([]uint32, n), starts: make([]uint32, n+1), maps: map[uint32][]uint64{}}
	eachWord(ends, ids, func(w uint32, _ int) { p.counts[w]++ })
	sum := uint32(0)
	for w, c := range p.counts {
		p.starts[w] = sum
		if dense(int(c), len(ends)) {
			p.maps[uint32(w)] = make([]uint64, words(len(ends)))
			continue
		}
		sum += c
	}
	p.starts[n] = sum
	p.lists = make([]uint32, sum)
	next := slices.Clone(p.starts)
	eachWord(ends, ids, func(w uint32, pos int) {
		// A word without a list has a bitmap. Such words are few, so the map is seldom read.
		if p.starts[w] == p.starts[w+1] {
			p.maps[w][pos/64] |= 1 << (pos % 64)
			return
		}
		p.lists[next[w]] = uint32(pos) //nolint:gosec // positions are 32 bits wide
		next[w]++
	})
	return p
}

// eachWord yields each different word of each record.
func eachWord(ends, ids []uint32, yield func(word uint32, pos int)) {
	from := uint32(0)
	for pos, to := range ends {
		name := ids[from:to]
		for i, w := range name {
			if !slices.Contains(name[:i], w) {
				yield(w, pos)
			}
		}
		from = to
	}
}

// mark sets the bits of every position of a word.
func (p *postings) mark(word uint32, bm []uint64) {
	from, to := p.starts[word], p.starts[word+1]
	if from == to {
		for i, x := range p.maps[word] {
			bm[i] |= x
		}
		return
	}
	for _, pos := range p.lists[from:to] {
		bm[pos/64] |= 1 << (pos % 64)
	}
}

// list appends the positions of a word.
func (p *postings) list(word uint32, to []uint32) []uint32 {
	for i, x := range p.maps[word] {
		for ; x != 0; x &= x - 1 {
			to = append(to, uint32(i*64+bits.TrailingZeros64(x))) //nolint:gosec // positions are 32 bits wide
		}
	}
	return append(to, p.lists[p.starts[word]:p.starts[word+1]]...)
}
