package search

import "sort"

// living is the matches in the main segment, without the holes that changed records left.
type living struct {
	part
	// Positions of changed records.
	dead []uint32
	// Places in dead of those that are among the matches.
	holes part
}

// filter sets l to all positions lo <= p < hi of a set.
func (l *living) filter(s set, lo, hi int) { l.part = between(s, lo, hi) }

// count returns how many matches are alive.
func (l *living) count() int { return l.n - l.holes.n }

// hole returns the position of hole i.
func (l *living) hole(i int) int { return int(l.dead[l.holes.at(i)]) }

// before returns how many living matches are below a position.
func (l *living) before(pos int) int {
	n := l.rank(pos)
	if l.holes.n > 0 {
		n -= l.holes.rank(lowerBound(l.dead, pos))
	}
	return n
}

// walk returns a walker that stands before the k-th living match.
func (l *living) walk(k int) walker {
	h := sort.Search(l.holes.n, func(i int) bool { return l.rank(l.hole(i))-i > k })
	w := walker{living: l, next: k + h, hole: h}
	w.settle()
	return w
}

// walker stands before a living match, if pos is not -1.
type walker struct {
	*living
	// Position of the match; -1 after the last.
	pos int
	// Number of the match among all matches.
	next int
	// First hole at or after it.
	hole int
}

// settle finds the position, stepping over holes.
func (w *walker) settle() {
	for ; w.next < w.n; w.next++ {
		w.pos = w.at(w.next)
		if w.hole == w.holes.n || w.living.hole(w.hole) != w.pos {
			return
		}
		w.hole++
	}
	w.pos = -1
}

// step goes to the next living match.
func (w *walker) step() {
	w.next++
	w.settle()
}

// page returns the keys of a page of the matches in both segments, in list order. Its cost does not
// grow with the offset, as positions are ranks.
func (s *snapshot) page(main *living, fresh part, offset, limit int) []int64 {
	offset = max(offset, 0)
	n := min(main.count()+fresh.n-offset, limit)
	if n <= 0 {
		return nil
	}
	// The first fresh match on the page or after it: those before it are passed over.
	f := sort.Search(fresh.n, func(i int) bool { return i+main.before(int(s.at[fresh.at(i)])) >= offset })
	m := main.walk(offset - f)
	keys := make([]int64, 0, n)
	for len(keys) < n {
		if f < fresh.n {
			if p := fresh.at(f); m.pos < 0 || int(s.at[p]) <= m.pos {
				keys = append(keys, s.fresh.keys[p])
				f++
				continue
			}
		}
		keys = append(keys, s.main.keys[m.pos])
		m.step()
	}
	return keys
}
