package search

import (
	"cmp"
	"slices"
	"sync"

	"rollcall/models"
)

// snapshot is the published records of a family as of one generation. It never changes. It is a
// large segment, with the changes since that was made as a second, small one.
type snapshot struct {
	// Generation of the family that it shows.
	gen     int64
	compare sorting
	// Nearly all records.
	main *segment
	// Records that changed since main was built, as they are now.
	fresh *segment
	// For each fresh record: how many main records come before it; ascending.
	at []uint32
	// Main positions of changed records, ascending.
	dead []uint32
	// Facets of the records at dead, by their place in it.
	buried *facets
	// Last change of each key since main was built, by key.
	changes []models.IndexRow
	// Closed when a newer snapshot is there.
	moved chan struct{}
}

// newSnapshot lays changes, at most one for each key, over main. errOrder: the changes are not in
// this program's order.
func newSnapshot(main *segment, changes []models.IndexRow, gen int64, compare sorting) (*snapshot, error) {
	s := &snapshot{gen: gen, compare: compare, main: main, changes: changes, moved: make(chan struct{})}
	rows := make([]*models.IndexRow, 0, len(changes))
	for i := range changes {
		r := &changes[i]
		if p, ok := main.at.find(main.keys, r.Key); ok {
			s.dead = append(s.dead, uint32(p)) //nolint:gosec // positions are 32 bits wide
		}
		if !r.Gone {
			rows = append(rows, r)
		}
	}
	slices.Sort(s.dead)
	kinds := make([]uint32, len(s.dead))
	for i, p := range s.dead {
		kinds[i] = main.kindOf[p]
	}
	s.buried = newFacets(kinds, main.kinds)
	slices.SortFunc(rows, func(a, b *models.IndexRow) int { return compare(place{a.Order, a.Tie}, place{b.Order, b.Tie}) })
	b := newBuilder(compare)
	for _, r := range rows {
		if err := b.add(r); err != nil {
			return nil, err
		}
		s.at = append(s.at, uint32(main.before(place{r.Order, r.Tie}, compare))) //nolint:gosec // positions are 32 bits wide
	}
	s.fresh = b.segment()
	return s, nil
}

// with returns the snapshot with newer changes laid over it.
func (s *snapshot) with(newer []models.IndexRow, gen int64) (*snapshot, error) {
	return newSnapshot(s.main, latest(slices.Concat(s.changes, newer)), gen, s.compare)
}

// latest returns the last change of each key.
func latest(changes []models.IndexRow) []models.IndexRow {
	slices.SortStableFunc(changes, func(a, b models.IndexRow) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Gen, b.Gen))
	})
	out := changes[:0]
	for i, c := range changes {
		if i+1 == len(changes) || changes[i+1].Key != c.Key {
			out = append(out, c)
		}
	}
	return out
}

// merged returns one segment of main and the changes.
func (s *snapshot) merged() (*segment, error) {
	b := newBuilder(s.compare)
	main, fresh := b.copier(s.main), b.copier(s.fresh)
	next, dead := 0, s.dead
	for p := range s.main.len() + 1 {
		for next < len(s.at) && int(s.at[next]) == p {
			if err := fresh(next); err != nil {
				return nil, err
			}
			next++
		}
		if len(dead) > 0 && int(dead[0]) == p {
			dead = dead[1:]
			continue
		}
		if p < s.main.len() {
			if err := main(p); err != nil {
				return nil, err
			}
		}
	}
	return b.segment(), nil
}

// rebased returns the snapshot on a main segment that was merged from an earlier snapshot of
// generation gen. Changes up to gen are in that segment already.
func (s *snapshot) rebased(main *segment, gen int64) (*snapshot, error) {
	newer := slices.DeleteFunc(slices.Clone(s.changes), func(r models.IndexRow) bool { return r.Gen <= gen })
	return newSnapshot(main, newer, s.gen, s.compare)
}

// find answers a query. The page and the total are of the same snapshot, so they agree.
func (s *snapshot) find(q models.IndexQuery, pool *sync.Pool) models.IndexPage {
	var (
		fresh part
		main  living
	)
	lo, hi := s.main.span(q.From, q.To)
	flo, fhi := s.fresh.span(q.From, q.To)
	all, young := s.main.facets.find(q.Facets), s.fresh.facets.find(q.Facets)
	if q.Since > 0 {
		all, young = s.main.since(q.Since, all, s.dead), s.fresh.since(q.Since, young, nil)
	}
	main.filter(all, lo, hi)
	if len(q.Words) == 0 {
		if q.Since <= 0 { // else they are out already
			main.dead = s.dead
			main.holes = between(s.buried.find(q.Facets), lowerBound(s.dead, lo), lowerBound(s.dead, hi))
		}
		fresh = between(young, flo, fhi)
	} else {
		a, b := take(pool), take(pool)
		defer pool.Put(a)
		defer pool.Put(b)
		in := named{segment: s.main, scratch: a, query: q.Words, filter: main.set, lo: lo, hi: hi, dead: s.dead}
		found := in.matches()
		main = living{part: part{set: found, n: found.n}}
		in = named{segment: s.fresh, scratch: b, query: q.Words, filter: young, lo: flo, hi: fhi}
		found = in.matches()
		fresh = part{set: found, n: found.n}
	}
	if q.Closest && len(q.Words) > 0 {
		return models.IndexPage{Keys: s.closest(&main, fresh, q), Total: main.count() + fresh.n, Gen: s.gen}
	}
	offset := q.Offset
	if q.After != nil {
		at := place{q.After.Order, q.After.Tie}
		offset = main.before(s.main.behind(at, s.compare)) + fresh.rank(s.fresh.behind(at, s.compare))
	}
	return models.IndexPage{Keys: s.page(&main, fresh, offset, q.Limit), Total: main.count() + fresh.n, Gen: s.gen}
}

// take returns a scratch from pool, or a new one.
func take(pool *sync.Pool) *scratch {
	if sc, ok := pool.Get().(*scratch); ok {
		return sc
	}
	return &scratch{}
}
