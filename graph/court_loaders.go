package graph

import (
	"context"

	"rollcall/models"
	"rollcall/models/store"
)

// loadCourtLinks makes the loaders of links between court cases, bookings and corrections records. Each
// announces what stands at the other end, so that a level of a nested query costs one statement for each
// family of records in it.
func (l *Loaders) loadCourtLinks(s *store.Store) {
	l.bookings = newLoader(func(ctx context.Context, rids []int64) (map[int64]*models.Booking, error) {
		read, err := s.BookingsByKeys(ctx, rids)
		l.belowBookings(rids)
		sources := make([]string, 0, len(read))
		for _, b := range read {
			sources = append(sources, b.SourceID)
		}
		l.sources.expect(sources)
		return read, err
	})
	l.cases = newLoader(s.CourtCasesByKeys)
	announced := func(read func(context.Context, []int64) (map[int64][]*models.CourtLink, error)) *loader[int64, []*models.CourtLink] {
		return newLoader(func(ctx context.Context, keys []int64) (map[int64][]*models.CourtLink, error) {
			found, err := read(ctx, keys)
			l.expectEnds(found)
			return found, err
		})
	}
	l.people = announced(s.CourtLinksOfCases)
	l.casesOfBooking = announced(s.CourtLinksOfBookings)
	l.casesOfRecord = announced(s.CourtLinksOfRecords)
}

// expectEnds announces the records that links join, and what hangs below them.
func (l *Loaders) expectEnds(found map[int64][]*models.CourtLink) {
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
	l.cases.expect(cases)
	l.bookings.expect(rids)
	l.corrections.expect(cids)
	l.belowCases(cases)
	l.belowBookings(rids)
	l.belowRecords(cids)
}
