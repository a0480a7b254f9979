package models

import "rollcall/internal/lru"

// memories are what a Store keeps of the records that it serves.
type memories struct {
	bookings      memory[int64, *Booking]
	bookingIDs    memory[string, *Booking]
	cases         memory[int64, *CourtCase]
	caseNumbers   memory[numbered, []*CourtCase]
	hearings      memory[int64, []*Hearing]
	dispositions  memory[int64, []*Disposition]
	corrections   memory[int64, *CorrectionsRecord]
	gdcIDs        memory[string, *CorrectionsRecord]
	links         memory[int64, *GdcLink]
	countyRecords memory[int64, []*CountyRecord]
}

// Bytes that a value takes beside its texts, with its place in the memory, about.
const (
	bookingBytes     = 560
	caseBytes        = 520
	correctionsBytes = 560
	hearingBytes     = 200
	dispositionBytes = 120
	linkBytes        = 200
	placeBytes       = 200
)

// newMemories shares budget bytes among the memories: most of it is for bookings, of which most is asked.
func newMemories(budget int, view func() (View, bool)) memories {
	roster := func(v View) View { return View{Roster: v.Roster} }
	courts := func(v View) View { return View{Courts: v.Courts, Minute: v.Minute} } // the next hearing moves with the clock
	corrections := func(v View) View { return View{Corrections: v.Corrections} }
	links := func(v View) View { return View{Corrections: v.Corrections, Links: v.Links} }
	both := func(v View) View { return View{Roster: v.Roster, Corrections: v.Corrections, Links: v.Links} }
	part := budget / 16
	return memories{
		bookings:    newMemory[int64](6*part, view, roster, func(v View) int64 { return v.Roster }, bookingSize),
		bookingIDs:  newMemory[string](part, view, roster, nil, bookingSize),
		cases:       newMemory[int64](2*part, view, courts, func(v View) int64 { return v.Courts }, caseSize),
		caseNumbers: newMemory[numbered](part, view, courts, nil, all(caseSize)),
		hearings:    newMemory[int64](part/2, view, courts, nil, all(func(*Hearing) int { return hearingBytes })),
		dispositions: newMemory[int64](part/2, view, courts, nil, all(func(d *Disposition) int {
			return dispositionBytes + len(d.Outcome)
		})),
		corrections:   newMemory[int64](part, view, corrections, func(v View) int64 { return v.Corrections }, correctionsSize),
		gdcIDs:        newMemory[string](part, view, corrections, nil, correctionsSize),
		links:         newMemory[int64](part, view, links, nil, linkSize),
		countyRecords: newMemory[int64](2*part, view, both, nil, all(func(r *CountyRecord) int { return linkSize(r.GdcLink) + bookingSize(r.Record) })),
	}
}

// newMemory makes a memory of budget bytes; none for 0. gen is that of the family whose rows fetch reads in
// one snapshot with it; nil: values are not of one snapshot with others.
func newMemory[K comparable, V any](budget int, view func() (View, bool), shows func(View) View, gen func(View) int64, bytes func(V) int) memory[K, V] {
	m := memory[K, V]{view: view, shows: shows, gen: gen}
	if budget > 0 {
		const largest = 16 // the part of the budget that one value may take
		m.kept = lru.New(budget, budget/largest, func(_ K, r remembered[V]) int {
			if !r.some {
				return placeBytes
			}
			return placeBytes + bytes(r.value)
		})
	}
	return m
}

// all adds up the bytes of a list.
func all[T any](bytes func(T) int) func([]T) int {
	return func(list []T) int {
		n := 0
		for _, v := range list {
			n += bytes(v)
		}
		return n
	}
}

func bookingSize(b *Booking) int {
	n := bookingBytes + len(b.ID) + len(b.SourceID) + len(b.Name)
	for _, c := range b.Charges {
		n += 32 + len(c)
	}
	return n
}

func caseSize(c *CourtCase) int {
	return caseBytes + len(c.CaseNumber) + len(c.Defendant) + len(c.Offense) + len(c.SourceID)
}

func correctionsSize(r *CorrectionsRecord) int {
	return correctionsBytes + len(r.GdcID) + len(r.Name) + len(r.SourceID)
}

func linkSize(l *GdcLink) int {
	n := linkBytes + len(l.GdcID)
	for _, r := range l.Reasons {
		n += 32 + len(r)
	}
	return n
}
