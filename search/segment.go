package search

import (
	"cmp"
	"math/bits"
	"sort"
	"strings"

	"rollcall/models"
)

// place is where a record stands in its family's list.
type place struct {
	// Booking time, filing day or the like, by which the family's list sorts.
	order int64
	// Decides between equal orders, such as an id.
	tie string
}

// sorting compares places of a family; negative when a comes first.
type sorting func(a, b place) int

// sortingOf returns the list order of a family, as models.IndexRow describes it: order descending,
// and ties by the record id descending (roster) or by the tie ascending (DECISIONS, "Lists and
// parameters").
func sortingOf(f models.Family) sorting {
	sign := 1
	if f == models.Roster {
		sign = -1
	}
	return func(a, b place) int {
		if c := cmp.Compare(b.order, a.order); c != 0 {
			return c
		}
		return sign * strings.Compare(a.tie, b.tie)
	}
}

// segment is an unchanging set of records in list order; a record is known by its position. It
// holds arrays of numbers and arenas of text, and no object for each record. So a million records
// take some 80 MB, and the garbage collector has nothing to walk.
type segment struct {
	// Internal key of the record, by position.
	keys   []int64
	orders []int64
	// When the record changed last.
	changed []int64
	ties    arena
	// Number of the record's facets in kinds.
	kindOf []uint32
	// Combinations of facets that occur.
	kinds [][3]int16
	// End of the record's words in ids.
	ends []uint32
	// Words of the names, in the order of the name.
	ids []uint32
	// Most words in one name.
	longest int
	// Positions by key.
	at      keyTable
	facets  *facets
	lexicon lexicon
}

// len returns the number of records, deleted ones included.
func (g *segment) len() int { return len(g.keys) }

// place returns where the record at p stands.
func (g *segment) place(p int) place {
	return place{order: g.orders[p], tie: g.ties.at(uint32(p))} //nolint:gosec // positions are 32 bits wide
}

// name returns the words of a record.
func (g *segment) name(p int) []uint32 {
	if p == 0 {
		return g.ids[:g.ends[0]]
	}
	return g.ids[g.ends[p-1]:g.ends[p]]
}

// text returns the search key of a record.
func (g *segment) text(p int) string {
	var sb strings.Builder
	for i, w := range g.name(p) {
		if i > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteString(g.lexicon.words.at(w))
	}
	return sb.String()
}

// before returns how many records come before a place.
func (g *segment) before(at place, compare sorting) int {
	return sort.Search(g.len(), func(p int) bool { return compare(g.place(p), at) >= 0 })
}

// behind returns how many records come before a place or stand at it.
func (g *segment) behind(at place, compare sorting) int {
	return sort.Search(g.len(), func(p int) bool { return compare(g.place(p), at) > 0 })
}

// span returns the positions lo <= p < hi of the records with from <= order < to; both 0 is all.
func (g *segment) span(from, to int64) (lo, hi int) {
	if from == 0 && to == 0 {
		return 0, g.len()
	}
	lo = sort.Search(g.len(), func(p int) bool { return g.orders[p] < to })
	hi = sort.Search(g.len(), func(p int) bool { return g.orders[p] < from })
	return lo, max(lo, hi)
}

// keyTable finds positions by key: open addressing in one array, at most three quarters full.
type keyTable struct {
	// Position + 1, or 0 for a free slot.
	slots []uint32
}

// newKeyTable returns a hash table of positions by key, with linear probing and a third more slots
// than keys. A Go map is several times as large, and the collector walks it.
func newKeyTable(keys []int64) keyTable {
	t := keyTable{slots: make([]uint32, len(keys)+len(keys)/3+1)}
	for p, key := range keys {
		i := t.start(key)
		for t.slots[i] != 0 {
			i = t.next(i)
		}
		t.slots[i] = uint32(p) + 1
	}
	return t
}

// start returns the first slot of a key: the key is multiplied by 2^64 divided by the golden ratio, which spreads
// consecutive keys.
func (t keyTable) start(key int64) int {
	hash := uint64(key) * 0x9e3779b97f4a7c15          //nolint:gosec // a hash: the bits count
	slot, _ := bits.Mul64(hash, uint64(len(t.slots))) // hash/2^64 of the slots
	return int(slot)                                  //nolint:gosec // less than the slots
}

// next returns the slot after i, around the end.
func (t keyTable) next(i int) int {
	if i++; i < len(t.slots) {
		return i
	}
	return 0
}

// find returns the position of a key.
func (t keyTable) find(keys []int64, key int64) (int, bool) {
	for i := t.start(key); t.slots[i] != 0; i = t.next(i) {
		if p := int(t.slots[i]) - 1; keys[p] == key {
			return p, true
		}
	}
	return 0, false
}
