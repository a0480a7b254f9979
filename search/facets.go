package search

import "sync"

// facets holds, for each combination of wanted facets, the positions that have them. So a filtered
// page and its total are found without looking at other records.
type facets struct {
	// Records of the segment.
	n int
	// By three facets, with 0 for any: the positions that have them.
	sets map[[3]int16]set
	// Sets of queries for all but a value, once a query asked for one.
	others sync.Map
}

// find returns the positions with the wanted facets: 0 wants any, -v all but v.
func (f *facets) find(want [3]int16) set {
	for i, v := range want {
		if v < 0 {
			return f.findBut(want, i)
		}
	}
	if want == ([3]int16{}) {
		return set{n: f.n}
	}
	return f.sets[want]
}

// findBut answers a query that wants all but a value of facet i.
func (f *facets) findBut(want [3]int16, i int) set {
	with, out := want, want
	with[i], out[i] = 0, -want[i]
	all, but := f.find(with), f.find(out)
	if but.n == 0 {
		return all
	}
	if s, ok := f.others.Load(want); ok {
		if s, ok := s.(set); ok {
			return s
		}
	}
	s := without(all, but, f.n)
	f.others.Store(want, s)
	return s
}

// without returns the positions, of n, that are in all and not in but.
func without(all, but set, n int) set {
	list := make([]uint32, 0, all.n-but.n)
	for k := range all.n {
		if p := all.at(k); !but.has(p) {
			list = append(list, uint32(p)) //nolint:gosec // positions are 32 bits wide
		}
	}
	if !dense(len(list), n) {
		return set{n: len(list), list: list}
	}
	bm := make([]uint64, words(n))
	for _, p := range list {
		bm[p/64] |= 1 << (p % 64)
	}
	return bitmap(bm, make([]uint32, 0, len(bm)/blockWords))
}

// fix returns what a query must want to find the facets of kind, where bit i of mask says that
// facet i is wanted. ok is false if the kind lacks one of these.
func fix(kind [3]int16, mask int) (want [3]int16, ok bool) {
	for i, v := range kind {
		if mask>>i&1 == 0 {
			continue
		}
		if v == 0 {
			return want, false
		}
		want[i] = v
	}
	return want, true
}

// newFacets returns the facets of positions whose kind is a number in kinds.
func newFacets(kindOf []uint32, kinds [][3]int16) *facets {
	f := &facets{n: len(kindOf), sets: map[[3]int16]set{}}
	counts := make([]int, len(kinds))
	for _, k := range kindOf {
		counts[k]++
	}
	var made []*set
	in := make([][]*set, len(kinds)) // the sets that a kind belongs to
	at := map[[3]int16]*set{}
	for k, kind := range kinds {
		for mask := 1; mask < 8; mask++ {
			want, ok := fix(kind, mask)
			if !ok || counts[k] == 0 {
				continue
			}
			if at[want] == nil {
				at[want] = &set{}
				made = append(made, at[want])
			}
			at[want].n += counts[k]
			in[k] = append(in[k], at[want])
		}
	}
	for _, s := range made {
		if dense(s.n, f.n) {
			s.bits = make([]uint64, words(f.n))
		} else {
			s.list = make([]uint32, 0, s.n)
		}
	}
	for p, k := range kindOf {
		for _, s := range in[k] {
			if s.bits != nil {
				s.bits[p/64] |= 1 << (p % 64)
			} else {
				s.list = append(s.list, uint32(p))
			}
		}
	}
	for want, s := range at {
		if s.bits != nil {
			*s = bitmap(s.bits, make([]uint32, 0, len(s.bits)/blockWords))
		}
		f.sets[want] = *s
	}
	return f
}

// dense reports whether k of n positions take less memory as a bitmap than as a list.
func dense(k, n int) bool { return k > n/32 }
