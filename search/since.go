package search

// since returns the positions of a set whose record changed at or after an instant, without dead
// ones (ascending). It looks at each record: some tenths of a millisecond for a million.
func (g *segment) since(instant int64, in set, dead []uint32) set {
	if in.n == 0 {
		return set{}
	}
	bm := make([]uint64, words(g.len()))
	if in.list != nil {
		for _, p := range in.list {
			if g.changed[p] >= instant {
				bm[p/64] |= 1 << (p % 64)
			}
		}
	} else {
		for p, at := range g.changed {
			if at >= instant {
				bm[p/64] |= 1 << (p % 64)
			}
		}
		if in.bits != nil {
			and(bm, in.bits)
		}
	}
	for _, p := range dead {
		bm[p/64] &^= 1 << (p % 64)
	}
	return bitmap(bm, make([]uint32, 0, len(bm)/blockWords))
}
