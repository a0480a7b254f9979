package search

import (
	"cmp"
	"math/bits"
	"slices"

	"rollcall/match"
)

// maxMasked is the number of query words that fit a word's mask; longer queries are compared as text.
const maxMasked = 32

// scratch is what a name search needs to work with. It is kept for the next search and grows to
// the largest segment.
type scratch struct {
	bits   []uint64 // the matches
	other  []uint64
	counts []uint32
	list   []uint32
	masks  []uint32 // of each word of the lexicon: the query words that it contains; all 0 between searches
	terms  []term
	found  []uint32 // the words of all terms
}

// term is a word of the query.
type term struct {
	from, to int // its words in found
	count    int // occurrences of these
}

// fit makes room for a segment.
func (s *scratch) fit(g *segment) {
	n := words(g.len())
	if cap(s.bits) < n {
		s.bits, s.other, s.counts = make([]uint64, n), make([]uint64, n), make([]uint32, 0, n/blockWords+1)
	}
	s.bits, s.other = s.bits[:n], s.other[:n]
	if n := g.lexicon.words.len(); len(s.masks) < n {
		s.masks = make([]uint32, n)
	}
	s.terms, s.found, s.list = s.terms[:0], s.found[:0], s.list[:0]
}

// named is a name search in a segment.
type named struct {
	*segment
	*scratch
	query  []string // folded words
	filter set      // of positions
	lo, hi int      // lo <= position < hi
	dead   []uint32 // positions that do not count, ascending
	proof  bool     // whether candidates must be looked at one by one
}

// matches gives the positions whose name answers the query by the rule of match.Holds. The set
// lives in the scratch.
func (n *named) matches() set {
	if n.lo >= n.hi || n.filter.n == 0 || len(n.query) > n.longest {
		return set{}
	}
	n.fit(n.segment)
	if !n.lookUp() {
		return set{}
	}
	n.mask()
	defer n.unmask()
	n.gather()
	for _, p := range n.dead {
		n.bits[p/64] &^= 1 << (p % 64)
	}
	if n.filter.list != nil {
		return n.pick()
	}
	if n.filter.bits != nil {
		for i, x := range n.filter.bits {
			n.bits[i] &= x
		}
	}
	n.clip()
	if n.proof {
		n.prove()
	}
	return bitmap(n.bits, n.counts)
}

// lookUp finds the words of the lexicon that contain each word of the query, rarest first; false
// when a word of the query is in none.
func (n *named) lookUp() bool {
	for _, w := range n.query {
		from := len(n.found)
		n.found = n.lexicon.containing(w, n.found)
		t := term{from: from, to: len(n.found)}
		for _, id := range n.found[from:] {
			t.count += int(n.lexicon.posts.counts[id])
		}
		if t.count == 0 {
			return false
		}
		n.terms = append(n.terms, t)
	}
	if len(n.terms) <= maxMasked {
		slices.SortFunc(n.terms, func(a, b term) int { return cmp.Compare(a.count, b.count) })
	}
	return true
}

// mask notes in each found word the terms that it contains. Where a word contains two, it could
// serve twice, and candidates must be proved.
func (n *named) mask() {
	n.proof = len(n.terms) > maxMasked
	if len(n.terms) == 1 || n.proof {
		return
	}
	for i, t := range n.terms {
		for _, id := range n.found[t.from:t.to] {
			n.proof = n.proof || n.masks[id] != 0
			n.masks[id] |= 1 << i
		}
	}
}

func (n *named) unmask() {
	for _, id := range n.found {
		n.masks[id] = 0
	}
}

// lookInstead is how many times more occurrences than candidates a term must have for looking at
// each candidate to be cheaper than marking the occurrences.
const lookInstead = 8

// gather marks the names that hold every term, or candidates for it that must be proved.
func (n *named) gather() {
	first := n.terms[0]
	clear(n.bits)
	n.markTerm(first, n.bits)
	for _, t := range n.terms[1:] {
		if t.count > lookInstead*first.count && len(n.terms) <= maxMasked {
			n.proof = true
			continue
		}
		clear(n.other)
		n.markTerm(t, n.other)
		for i, x := range n.other {
			n.bits[i] &= x
		}
	}
}

func (n *named) markTerm(t term, bm []uint64) {
	for _, id := range n.found[t.from:t.to] {
		n.lexicon.posts.mark(id, bm)
	}
}

// clip drops what is outside lo and hi.
func (n *named) clip() {
	clear(n.bits[:n.lo/64])
	if n.lo%64 != 0 {
		n.bits[n.lo/64] &^= 1<<(n.lo%64) - 1
	}
	if n.hi%64 != 0 {
		n.bits[n.hi/64] &= 1<<(n.hi%64) - 1
	}
	clear(n.bits[words(n.hi):])
}

// pick lists the matches that pass a filter of few positions.
func (n *named) pick() set {
	in := between(n.filter, n.lo, n.hi)
	for _, p := range n.filter.list[in.from : in.from+in.n] {
		if n.bits[p/64]>>(p%64)&1 != 0 && (!n.proof || n.holds(int(p))) {
			n.list = append(n.list, p)
		}
	}
	return set{n: len(n.list), list: n.list}
}

// prove drops the candidates whose name does not answer the query.
func (n *named) prove() {
	for i, x := range n.bits {
		for ; x != 0; x &= x - 1 {
			if b := bits.TrailingZeros64(x); !n.holds(i*64 + b) {
				n.bits[i] &^= 1 << b
			}
		}
	}
}

// holds is match.Holds for the name at position p.
func (n *named) holds(p int) bool {
	name := n.name(p)
	if len(name) > maxMasked || len(n.terms) > maxMasked {
		return match.Holds(n.text(p), n.query)
	}
	if len(name) < len(n.terms) {
		return false
	}
	served, shared := uint32(0), uint32(0)
	for _, w := range name {
		m := n.masks[w]
		served |= m
		shared |= m & (m - 1) // not 0 when the word could serve two terms
	}
	if served != 1<<len(n.terms)-1 || shared == 0 {
		return served == 1<<len(n.terms)-1
	}
	pair := pairing{names: len(name)}
	for i, w := range name {
		pair.masks[i] = n.masks[w]
	}
	return pair.complete(len(n.terms))
}

// pairing gives each term a word of the name of its own, by augmenting paths (Kuhn's algorithm).
type pairing struct {
	masks [maxMasked]uint32 // the terms that a word of the name contains
	owner [maxMasked]uint8  // 1 + the term that has the word
	tried uint32
	names int
}

func (p *pairing) complete(terms int) bool {
	for t := range terms {
		p.tried = 0
		if !p.place(t) {
			return false
		}
	}
	return true
}

func (p *pairing) place(t int) bool {
	for i := range p.names {
		if p.masks[i]>>t&1 == 0 || p.tried>>i&1 != 0 {
			continue
		}
		p.tried |= 1 << i
		if p.owner[i] == 0 || p.place(int(p.owner[i])-1) {
			p.owner[i] = uint8(t) + 1 //nolint:gosec // at most maxMasked
			return true
		}
	}
	return false
}
