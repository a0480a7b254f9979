package search

import (
	"math/bits"
	"slices"
	"sort"
)

// A bitmap counts its members before each block of positions.
const (
	blockWords = 8
	blockBits  = 64 * blockWords
)

// set is a set of the positions of a segment, in one of three forms: a sorted list, a bitmap with
// counts by block, or, with neither, the positions 0 to n-1. The zero set is empty.
type set struct {
	n int
	// Positions in order, of a small set.
	list []uint32
	// Bitmap of positions, of a large one.
	bits   []uint64
	before []uint32 // members before each block of the bitmap
}

// words returns the length of a bitmap of n positions: whole blocks.
func words(n int) int { return (n + blockBits - 1) / blockBits * blockWords }

// bitmap returns the set of bits, whose length words has computed. Its counts are in before if that
// is large enough.
func bitmap(bm []uint64, before []uint32) set {
	all, n := bm, 0
	before = before[:0]
	for ; len(bm) >= blockWords; bm = bm[blockWords:] {
		before = append(before, uint32(n))
		b := (*[blockWords]uint64)(bm)
		n += bits.OnesCount64(b[0]) + bits.OnesCount64(b[1]) + bits.OnesCount64(b[2]) + bits.OnesCount64(b[3]) +
			bits.OnesCount64(b[4]) + bits.OnesCount64(b[5]) + bits.OnesCount64(b[6]) + bits.OnesCount64(b[7])
	}
	return set{n: n, bits: all, before: before}
}

// rank returns how many members are below position p.
func (s set) rank(p int) int {
	switch {
	case s.bits != nil:
		w := p / 64
		if w >= len(s.bits) {
			return s.n
		}
		b := w / blockWords
		r := int(s.before[b])
		for _, x := range s.bits[b*blockWords : w] {
			r += bits.OnesCount64(x)
		}
		return r + bits.OnesCount64(s.bits[w]&(1<<(p%64)-1))
	case s.list != nil:
		return lowerBound(s.list, p)
	default:
		return min(p, s.n)
	}
}

// at returns member k, 0 <= k < n.
func (s set) at(k int) int {
	switch {
	case s.bits != nil:
		b := sort.Search(len(s.before), func(b int) bool { return int(s.before[b]) > k }) - 1
		k -= int(s.before[b])
		for w := b * blockWords; ; w++ {
			x := s.bits[w]
			if n := bits.OnesCount64(x); k >= n {
				k -= n
				continue
			}
			for ; k > 0; k-- {
				x &= x - 1
			}
			return w*64 + bits.TrailingZeros64(x)
		}
	case s.list != nil:
		return int(s.list[k])
	default:
		return k
	}
}

// has reports whether position p of the segment is a member.
func (s set) has(p int) bool {
	switch {
	case s.bits != nil:
		return s.bits[p/64]>>(p%64)&1 != 0
	case s.list != nil:
		_, ok := slices.BinarySearch(s.list, uint32(p)) //nolint:gosec // positions are 32 bits wide
		return ok
	default:
		return p < s.n
	}
}

// lowerBound returns how many members of a sorted list are below p.
func lowerBound(list []uint32, p int) int {
	i, _ := slices.BinarySearchFunc(list, p, func(v uint32, p int) int { return int(v) - p })
	return i
}

// part is n members of a set from the one of rank from on: what a query found in a segment.
type part struct {
	set  set
	from int
	n    int
}

// between returns the part of s at positions lo <= p < hi.
func between(s set, lo, hi int) part {
	from := s.rank(lo)
	return part{set: s, from: from, n: max(s.rank(hi)-from, 0)}
}

// at returns the k-th member.
func (p part) at(k int) int { return p.set.at(p.from + k) }

// rank returns how many members are below pos.
func (p part) rank(pos int) int { return min(max(p.set.rank(pos)-p.from, 0), p.n) }
