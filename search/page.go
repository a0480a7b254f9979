package search

import (
	"sort"

	"rollcall/match"
	"rollcall/models"
)

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

// each yields the matches in both segments in list order, from the one of rank offset on, until yield returns false. Its
// cost does not grow with the offset, as positions are ranks.
func (s *snapshot) each(main *living, fresh part, offset int, yield func(g *segment, p int) bool) {
	// The first fresh match at the offset or after it: those before it are passed over.
	f := sort.Search(fresh.n, func(i int) bool { return i+main.before(int(s.at[fresh.at(i)])) >= offset })
	m := main.walk(offset - f)
	for {
		switch {
		case f < fresh.n && (m.pos < 0 || int(s.at[fresh.at(f)]) <= m.pos):
			if !yield(s.fresh, fresh.at(f)) {
				return
			}
			f++
		case m.pos < 0 || !yield(s.main, m.pos):
			return
		default:
			m.step()
		}
	}
}

// page returns the keys of a page of the matches, in list order.
func (s *snapshot) page(main *living, fresh part, offset, limit int) []int64 {
	offset = max(offset, 0)
	n := min(main.count()+fresh.n-offset, limit)
	if n <= 0 {
		return nil
	}
	keys := make([]int64, 0, n)
	s.each(main, fresh, offset, func(g *segment, p int) bool {
		keys = append(keys, g.keys[p])
		return len(keys) < n
	})
	return keys
}

// closest returns the keys of a page of the matches, by how close their names are to the query.
func (s *snapshot) closest(main *living, fresh part, q models.IndexQuery) []int64 {
	total := main.count() + fresh.n
	if q.Offset >= total {
		return nil
	}
	// Beyond those that are ranked the page is found by its place in the list.
	n := min(total, max(match.MostRanked, q.Offset+q.Limit))
	ranking, all := match.NewClosest(q.Words), make([]int64, 0, n)
	var name []string
	s.each(main, fresh, 0, func(g *segment, p int) bool {
		name = name[:0]
		for _, w := range g.name(p) {
			name = append(name, g.lexicon.words.at(w))
		}
		ranking.Add(name, ahead(g.kinds[g.kindOf[p]], q.Ahead))
		all = append(all, g.keys[p])
		return len(all) < n
	})
	var keys []int64
	for _, i := range ranking.Page(q.Offset, q.Limit) {
		keys = append(keys, all[i])
	}
	return keys
}

// ahead reports whether a record of a kind has the wanted facets; 0 wants any.
func ahead(kind, want [3]int16) bool {
	for i, v := range want {
		if v != 0 && v != kind[i] {
			return false
		}
	}
	return true
}
