package loader

import (
	"context"

	"rollcall/models"
	"rollcall/models/store"
)

// loadCourtLinks makes the loaders of links between court cases, bookings and corrections records. Each
// announces what stands at the other end, so that a level of a nested query costs one statement for each
// family of records in it.
func (l *Set) loadCourtLinks(s *store.Store) {
	l.Bookings = newBatch(func(ctx context.Context, rids []int64) (map[int64]*models.Booking, error) {
		read, err := s.BookingsByKeys(ctx, rids)
		l.belowBookings(rids)
		sources := make([]string, 0, len(read))
		for _, b := range read {
			sources = append(sources, b.SourceID)
		}
		l.Sources.expect(sources)
		return read, err
	})
	l.Cases = newBatch(s.CourtCasesByKeys)
	announced := func(read func(context.Context, []int64) (map[int64][]*models.CourtLink, error)) *Batch[int64, []*models.CourtLink] {
		return newBatch(func(ctx context.Context, keys []int64) (map[int64][]*models.CourtLink, error) {
			found, err := read(ctx, keys)
			l.expectEnds(found)
			return found, err
		})
	}
	l.People = announced(s.CourtLinksOfCases)
	l.CasesOfBooking = announced(s.CourtLinksOfBookings)
	l.CasesOfRecord = announced(s.CourtLinksOfRecords)
}

// expectEnds announces the records that links join, and what hangs below them.
func (l *Set) expectEnds(found map[int64][]*models.CourtLink) {
	var cases, rids, cids []int64
	for _, links := range found {
		for _, k := range links {
			cases = append(cases, k.CaseKey)
			if k.RID != nil {
				rids = append(rids, *k.RID)
			}
			if k.CID != nil {
				cids = append(cids, *k.CID)
			}
		}
	}
	l.Cases.expect(cases)
	l.Bookings.expect(rids)
	l.Corrections.expect(cids)
	l.belowCases(cases)
	l.belowBookings(rids)
	l.belowRecords(cids)
}
