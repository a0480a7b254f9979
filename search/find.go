package search

import (
	"cmp"
	"math/bits"
	"slices"

	"rollcall/match"
)

// scratch is the working memory of a name search. It is used again by later searches and grows to
// the largest segment.
type scratch struct {
	// The matches, as a bitmap.
	bits []uint64
	// Bitmap beside the one being built.
	other []uint64
	// Matches before each block of bits, so that a rank is found without counting from the start.
	counts []uint32
	list   []uint32
	// Of each word of the lexicon: the query words that it contains, as bits. All are 0 between
	// searches.
	masks []uint8
	terms []term
	// Words of all terms, one term after another.
	found []uint32
}

// term is a word of the query.
type term struct {
	// Its words are found[from:to].
	from, to int
	// Occurrences of these words.
	count int
	// The positions of these words, if they are kept as a bitmap, or nil. A single term with a
	// union has no words in found.
	union *union
}

// fit makes enough space for a segment.
func (s *scratch) fit(g *segment) {
	n := words(g.len())
	if cap(s.bits) < n {
		s.bits, s.other, s.counts = make([]uint64, n), make([]uint64, n), make([]uint32, 0, n/blockWords+1)
	}
	s.bits, s.other = s.bits[:n], s.other[:n]
	if n := g.lexicon.words.len(); len(s.masks) < n {
		s.masks = make([]uint8, n)
	}
	s.terms, s.found, s.list = s.terms[:0], s.found[:0], s.list[:0]
}

// named is a name search in a segment.
type named struct {
	*segment
	*scratch
	// Folded words.
	query []string
	// Positions that pass the other filters.
	filter set
	// Only positions lo <= p < hi count.
	lo, hi int
	// Positions of changed records, ascending; they do not count.
	dead []uint32
	// Candidates must be compared with the query one by one.
	proof bool
}

// matches returns the positions whose name answers the query by the rule of match.Holds (DECISIONS,
// "Names"). The set lives in the scratch and is valid until its next use.
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
	if t := n.terms[0]; t.union == nil && t.count <= fewNames && len(n.terms) <= maxSets {
		return n.few()
	}
	n.gather()
	for _, p := range n.dead {
		n.bits[p/64] &^= 1 << (p % 64)
	}
	if n.filter.list != nil {
		return n.pick()
	}
	if n.filter.bits != nil {
		and(n.bits, n.filter.bits)
	}
	n.clip()
	if n.proof {
		n.prove()
	}
	return bitmap(n.bits, n.counts)
}

// lookUp finds the words of the lexicon that contain each word of the query, and sorts the terms,
// rarest first. It returns false if a word of the query is in none: then nothing matches.
func (n *named) lookUp() bool {
	for _, w := range n.query {
		t := term{from: len(n.found)}
		if len(w) == 1 || len(w) == 2 {
			t.union = n.lexicon.union(w, n.len())
		}
		if t.union == nil || len(n.query) > 1 {
			n.found = n.lexicon.containing(w, n.found)
		}
		t.to = len(n.found)
		if t.union != nil {
			t.count = t.union.count
		} else {
			for _, id := range n.found[t.from:] {
				t.count += int(n.lexicon.posts.counts[id])
			}
		}
		if t.count == 0 {
			return false
		}
		n.terms = append(n.terms, t)
	}
	if len(n.terms) <= maxSets {
		slices.SortFunc(n.terms, func(a, b term) int { return cmp.Compare(a.count, b.count) })
	}
	return true
}

// mask notes in each found word the terms that it contains. A word that contains two could serve
// only one of them, so candidates must then be proved: "jo john" must not match a name with a
// single JOHN.
func (n *named) mask() {
	n.proof = len(n.terms) > maxSets
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

// unmask clears the masks that were set, and only those: clearing all costs more than the query.
func (n *named) unmask() {
	for _, id := range n.found {
		n.masks[id] = 0
	}
}

// lookInstead is how many times more occurrences than candidates a term must have, so that
// comparing each candidate is cheaper than marking the occurrences.
const lookInstead = 16

// gather marks the names that hold every term, or candidates for them that must be proved.
func (n *named) gather() {
	n.markTerm(n.terms[0], n.bits)
	for _, t := range n.terms[1:] {
		switch {
		case t.union != nil:
			and(n.bits, t.union.bits)
		case t.count > lookInstead*n.terms[0].count && len(n.terms) <= maxSets:
			n.proof = true
		default:
			n.markTerm(t, n.other)
			and(n.bits, n.other)
		}
	}
}

// and keeps in bm the bits that are also in with.
func and(bm, with []uint64) {
	with = with[:len(bm)]
	for i := range bm {
		bm[i] &= with[i]
	}
}

// markTerm sets bm to the names that hold a term.
func (n *named) markTerm(t term, bm []uint64) {
	if t.union != nil {
		copy(bm, t.union.bits)
		return
	}
	clear(bm)
	for _, id := range n.found[t.from:t.to] {
		n.lexicon.posts.mark(id, bm)
	}
}

// fewNames is the number of occurrences up to which candidates are listed and compared one by one.
const fewNames = 512

// few lists the matches of a query whose rarest word is rare.
func (n *named) few() set {
	t := n.terms[0]
	for _, id := range n.found[t.from:t.to] {
		n.list = n.lexicon.posts.list(id, n.list)
	}
	slices.Sort(n.list)
	n.list = slices.DeleteFunc(slices.Compact(n.list), func(p uint32) bool {
		if int(p) < n.lo || int(p) >= n.hi || !n.filter.has(int(p)) || len(n.terms) > 1 && !n.holds(int(p)) {
			return true
		}
		_, dead := slices.BinarySearch(n.dead, p)
		return dead
	})
	return set{n: len(n.list), list: n.list}
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
	clear(n.bits[(n.hi+63)/64:])
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

// holds reports what match.Holds reports for the name at position p.
func (n *named) holds(p int) bool {
	name, terms := n.name(p), len(n.terms)
	if terms > maxSets {
		return match.Holds(n.text(p), n.query)
	}
	// Bit s of reached says that words so far can serve the terms of s, a set of terms, each by
	// a word of its own.
	reached, all := uint64(1), uint64(1)<<terms-1
	for _, w := range name {
		next := reached
		for m := n.masks[w]; m != 0; m &= m - 1 {
			t := bits.TrailingZeros8(m)
			next |= reached & lacking[t] << (1 << t)
		}
		reached = next
	}
	return reached>>all&1 != 0
}

// maxSets is the largest number of terms whose sets fit the bits of a word: 2^6 = 64.
const maxSets = 6

// lacking holds, for each term, the bits of the sets of terms that lack it.
var lacking = [maxSets]uint64{
	0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
}
