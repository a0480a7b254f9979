package match

import "slices"

// Near returns the records that may be the booking's person's: those that [Linker.Link] weighs, whose
// births do not conflict with the booking's. Handing some of them to [Best], with the population that
// the caller reckons with, is Link with a say in what is weighed. Whether a pair is near depends on the
// two alone.
func (l *Linker) Near(b *Booking) []Record {
	var w scratch
	for i := range b.Name.readings {
		l.records.candidates(&w, &b.Name.readings[i])
	}
	slices.Sort(w.slots)
	var near []Record
	for _, slot := range slices.Compact(w.slots) {
		if relateBirths(b.Born, l.records.born[slot]) == BirthConflict {
			continue
		}
		near = append(near, Record{ID: l.records.id(slot), Name: l.records.name(slot), Born: l.records.born[slot]})
	}
	return near
}
