package match

import (
	"slices"

	"rollcall/match/internal/birth"
)

// Linker links bookings to a large set of records through two blocking indexes: by names, as standing queries do, and
// by birth date. The dates find names so damaged or exchanged that only the date brings the two together. It is
// immutable and safe for concurrent use.
type Linker struct {
	records *segment
	// How many people the records are drawn from: agreement by chance is measured against it.
	population int
}

// NewLinker indexes records; ids must be distinct. Half a million take a few seconds.
func NewLinker(records []Record) *Linker {
	entries := make([]entry, len(records))
	x := NewIndex()
	l := &Linker{population: len(records)}
	for i := range records {
		r := &records[i]
		x.share(r.Name.readings)
		entries[i] = entry{id: r.ID, readings: r.Name.readings, born: r.Born}
	}
	l.records = buildSegment(entries)
	return l
}

// Link returns the link of a booking. explain asks for the reasons too, which cost more than the link.
func (l *Linker) Link(b *Booking, explain bool) Link {
	var best, next trial
	l.each(b, func(slot uint32, name *Name) {
		t := tryLink(&b.Name, name, b.Born, l.records.born[slot], l.population)
		t.at = int(slot)
		best, next = ranked(best, next, t)
	})
	if best.confidence(next) == NoLink {
		return Link{}
	}
	slot := slotOf(best.at)
	var reasons []string
	if explain {
		name := l.records.name(slot)
		reasons = explainLink(&b.Name, &name, b.Born, l.records.born[slot])
		if best.confidence(next) == Low {
			reasons = append(reasons, best.whyLow(b.Born, l.records.born[slot], jail, stateRecord)...)
		}
	}
	return best.link(next, l.records.id(slot), reasons)
}

// Near returns the records that may be the booked person's: those that [Linker.Link] weighs, whose births do not
// conflict with the booking's. Passing some of them to [Best], with the population that the caller reckons with, is
// Link with a choice of candidates. Whether a pair is near depends on the two alone.
func (l *Linker) Near(b *Booking) []Record {
	var near []Record
	l.each(b, func(slot uint32, name *Name) {
		near = append(near, Record{ID: l.records.id(slot), Name: *name, Born: l.records.born[slot]})
	})
	return near
}

// each yields the records near a booking in the order of their slots.
func (l *Linker) each(b *Booking, yield func(slot uint32, name *Name)) {
	var w scratch
	for i := range b.Name.readings {
		l.records.candidates(&w, &b.Name.readings[i])
	}
	w.slots = slices.DeleteFunc(w.slots, func(slot uint32) bool { return birth.Relate(b.Born, l.records.born[slot]) == birth.Conflict })
	w.slots = l.sameDate(w.slots, b)
	slices.Sort(w.slots)
	for _, slot := range slices.Compact(w.slots) {
		name := l.records.name(slot)
		yield(slot, &name)
	}
}

// sameDate appends the records of the booking's birth date whose names are not those of two people.
func (l *Linker) sameDate(slots []uint32, b *Booking) []uint32 {
	for _, slot := range l.records.withDate(nil, b.Born) {
		name := l.records.name(slot)
		if tryLink(&b.Name, &name, b.Born, l.records.born[slot], l.population).tried {
			slots = append(slots, slot)
		}
	}
	return slots
}
