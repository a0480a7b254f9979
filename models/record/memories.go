package record

import (
	"rollcall/internal/lru"
	"rollcall/models"
	"rollcall/models/db"
)

// memories are the record caches of a Store, one for each kind of read (docs/decisions/0006-record-cache.md).
type memories struct {
	// bookings are by internal key, for lists and loaders.
	bookings db.Memory[int64, *models.Booking]
	// bookingIDs are by public id, for details, merged ids included.
	bookingIDs db.Memory[string, *models.Booking]
	cases      db.Memory[int64, *models.CourtCase]
	// caseNumbers are lists, because several cases may have a number.
	caseNumbers  db.Memory[numbered, []*models.CourtCase]
	hearings     db.Memory[int64, []*models.Hearing]
	dispositions db.Memory[int64, []*models.Disposition]
	corrections  db.Memory[int64, *models.CorrectionsRecord]
	// gdcIDs are corrections records by offender id, merged ids included.
	gdcIDs db.Memory[string, *models.CorrectionsRecord]
	// links are those of bookings, and countyRecords those of corrections records with their bookings.
	links         db.Memory[int64, *models.GdcLink]
	countyRecords db.Memory[int64, []*models.CountyRecord]
}

// newMemories shares budget bytes among the caches. Bookings get most of it, because most requests read them.
// Each cache ends with the families that its values show: a list of links depends on both ends.
func newMemories(budget int, use *lru.Use, view func() (models.View, bool)) memories {
	roster := func(v models.View) models.View { return models.View{Roster: v.Roster} }
	courts := func(v models.View) models.View { return models.View{Courts: v.Courts, Minute: v.Minute} } // the next hearing moves with the clock
	corrections := func(v models.View) models.View { return models.View{Corrections: v.Corrections} }
	links := func(v models.View) models.View { return models.View{Corrections: v.Corrections, Links: v.Links} }
	both := func(v models.View) models.View {
		return models.View{Roster: v.Roster, Corrections: v.Corrections, Links: v.Links}
	}
	// The parts of the budget add up to 16 sixteenths, by what the mix of requests reads
	// (docs/performance.md).
	part := budget / 16
	return memories{
		bookings:    db.NewMemory[int64](6*part, use, view, roster, func(v models.View) int64 { return v.Roster }, bookingSize),
		bookingIDs:  db.NewMemory[string](part, use, view, roster, nil, bookingSize),
		cases:       db.NewMemory[int64](2*part, use, view, courts, func(v models.View) int64 { return v.Courts }, caseSize),
		caseNumbers: db.NewMemory[numbered](part, use, view, courts, nil, all(caseSize)),
		hearings:    db.NewMemory[int64](part/2, use, view, courts, nil, all(func(*models.Hearing) int { return db.HearingBytes })),
		dispositions: db.NewMemory[int64](part/2, use, view, courts, nil, all(func(d *models.Disposition) int {
			return db.DispositionBytes + len(d.Outcome)
		})),
		corrections:   db.NewMemory[int64](part, use, view, corrections, func(v models.View) int64 { return v.Corrections }, correctionsSize),
		gdcIDs:        db.NewMemory[string](part, use, view, corrections, nil, correctionsSize),
		links:         db.NewMemory[int64](part, use, view, links, nil, linkSize),
		countyRecords: db.NewMemory[int64](2*part, use, view, both, nil, all(func(r *models.CountyRecord) int { return linkSize(r.GdcLink) + bookingSize(r.Record) })),
	}
}

// all returns a size of lists: the sum of the sizes of their values.
func all[T any](bytes func(T) int) func([]T) int {
	return func(list []T) int {
		n := 0
		for _, v := range list {
			n += bytes(v)
		}
		return n
	}
}

// bookingSize is about how many bytes a booking takes, with its texts. A string takes about 32 bytes beside its text.
func bookingSize(b *models.Booking) int {
	n := db.BookingBytes + len(b.ID) + len(b.SourceID) + len(b.Name)
	for _, c := range b.Charges {
		n += 32 + len(c)
	}
	if b.Agency != nil {
		n += 32 + len(*b.Agency)
	}
	return n
}

// caseSize is about what a case takes.
func caseSize(c *models.CourtCase) int {
	return db.CaseBytes + len(c.CaseNumber) + len(c.Defendant) + len(c.Offense) + len(c.SourceID)
}

// correctionsSize is about what a corrections record takes.
func correctionsSize(r *models.CorrectionsRecord) int {
	return db.CorrectionsBytes + len(r.GdcID) + len(r.Name) + len(r.SourceID)
}

// linkSize is about what a link takes.
func linkSize(l *models.GdcLink) int {
	n := db.LinkBytes + len(l.GdcID)
	for _, r := range l.Reasons {
		n += 32 + len(r)
	}
	return n
}
