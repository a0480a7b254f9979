package match

import (
	"slices"
	"strings"
	"sync/atomic"
)

// segment is an immutable block of watchers with its postings; only the dead marks change. Everything is in a few flat
// slices, so that a million watchers cost the garbage collector little. A watcher is known by its slot, its number
// within the segment.
type segment struct {
	// All ids, end to end.
	ids string
	// Where the id of each watcher ends in ids.
	idEnd []uint32
	// All readings, watcher by watcher.
	readings []reading
	// Where the readings of each watcher end.
	readEnd []uint32
	// County of each watcher, as a number of the index; 0 is all counties.
	county []uint16
	level  []Level
	born   []Birth
	// Slots by full birth date.
	dates map[Birth][]uint32
	// Slots in order of id.
	byID []uint32
	// A bit for each watcher that was removed. It is the only part of what is known that changes, by atomic operations.
	dead []atomic.Uint32
	// Comparisons of given names that are not made again.
	kept keptKin
	postings
}

// entry is a watcher that is to be put into a segment.
type entry struct {
	id       string
	readings []reading
	county   uint16
	level    Level
	born     Birth
}

// buildSegment packs watchers into a segment.
func buildSegment(entries []entry) *segment {
	n := len(entries)
	total, bytes := 0, 0
	for i := range entries {
		total += len(entries[i].readings)
		bytes += len(entries[i].id)
	}
	s := &segment{
		idEnd: make([]uint32, n), readings: make([]reading, 0, total), readEnd: make([]uint32, n),
		county: make([]uint16, n), level: make([]Level, n), born: make([]Birth, n), byID: make([]uint32, n), dead: make([]atomic.Uint32, (n+31)/32),
		dates: map[Birth][]uint32{},
	}
	var ids strings.Builder
	ids.Grow(bytes)
	for i := range entries {
		e := &entries[i]
		ids.WriteString(e.id)
		s.readings = append(s.readings, e.readings...)
		s.idEnd[i], s.readEnd[i] = slotOf(ids.Len()), slotOf(len(s.readings))
		s.county[i], s.level[i], s.born[i], s.byID[i] = e.county, e.level, e.born, slotOf(i)
		if e.born.Dated() {
			s.dates[e.born] = append(s.dates[e.born], slotOf(i))
		}
	}
	s.ids = ids.String()
	slices.SortFunc(s.byID, func(a, b uint32) int { return strings.Compare(s.id(a), s.id(b)) })
	s.postings = buildPostings(s)
	return s
}

// slotOf narrows a count; a segment holds far fewer than 2^32 of anything.
func slotOf(n int) uint32 { return uint32(n) } //nolint:gosec // see above

func (s *segment) len() int { return len(s.idEnd) }

// id returns the id of a watcher without copying it.
func (s *segment) id(slot uint32) string {
	if slot == 0 {
		return s.ids[:s.idEnd[0]]
	}
	return s.ids[s.idEnd[slot-1]:s.idEnd[slot]]
}

// name returns the name of a watcher.
func (s *segment) name(slot uint32) Name {
	start := uint32(0)
	if slot > 0 {
		start = s.readEnd[slot-1]
	}
	return Name{readings: s.readings[start:s.readEnd[slot]], narrowed: s.county[slot] != 0}
}

// narrowed reports whether a watcher has a county or birth, so that a surname alone is enough.
func (s *segment) narrowed(slot uint32) bool { return s.county[slot] != 0 || s.born[slot].Year != 0 }

// withDate appends the slots of a birth date, as it is and with day and month exchanged. A date finds names that are so
// damaged, or changed, that nothing else brings the two together.
func (s *segment) withDate(slots []uint32, b Birth) []uint32 {
	if !b.Dated() || b.Placeholder() || len(s.dates) == 0 {
		return slots
	}
	slots = append(slots, s.dates[b]...)
	if swapped := (Birth{Year: b.Year, Month: b.Day, Day: b.Month}); swapped != b && swapped.Month <= 12 {
		slots = append(slots, s.dates[swapped]...)
	}
	return slots
}

// alive reports whether a watcher was not removed.
func (s *segment) alive(slot uint32) bool {
	return s.dead[slot/32].Load()&(1<<(slot%32)) == 0
}

// kill marks a watcher as removed, and reports whether it was there and alive.
func (s *segment) kill(id string) bool {
	i, found := slices.BinarySearchFunc(s.byID, id, func(slot uint32, id string) int { return strings.Compare(s.id(slot), id) })
	if !found || !s.alive(s.byID[i]) {
		return false
	}
	slot := s.byID[i]
	s.dead[slot/32].Or(1 << (slot % 32))
	return true
}

// living returns the watchers that were not removed, to be merged with others.
func (s *segment) living() []entry {
	out := make([]entry, 0, s.len())
	for i := range s.len() {
		if slot := slotOf(i); s.alive(slot) {
			out = append(out, entry{id: s.id(slot), readings: s.name(slot).readings, county: s.county[i], level: s.level[i], born: s.born[i]})
		}
	}
	return out
}
