package record

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db/column"
)

// CourtLinksOfCases returns the people of cases by key: their bookings, newest first, then the corrections
// record.
func (s *Store) CourtLinksOfCases(ctx context.Context, cases []int64) (map[int64][]*models.CourtLink, error) {
	return s.courtLinksBy(ctx, "case_id", cases)
}

// CourtLinksOfBookings returns the cases of bookings by key, the case that was stored last first.
func (s *Store) CourtLinksOfBookings(ctx context.Context, rids []int64) (map[int64][]*models.CourtLink, error) {
	return s.courtLinksBy(ctx, "rid", rids)
}

// CourtLinksOfRecords returns the cases of corrections records by key, the case that was stored last first.
func (s *Store) CourtLinksOfRecords(ctx context.Context, cids []int64) (map[int64][]*models.CourtLink, error) {
	return s.courtLinksBy(ctx, "cid", cids)
}

// courtLinksBy reads the links of which both ends are published, by one of their columns, which is a word of
// this package.
func (s *Store) courtLinksBy(ctx context.Context, by string, keys []int64) (map[int64][]*models.CourtLink, error) {
	var rows []*struct {
		OfKey int64
		models.CourtLink
	}
	err := s.rows(ctx).Model(&models.CourtLink{}).Select(by+" as of_key, case_id, rid, cid, confidence, reasons").
		Where(by+" = any (?)", column.Array[int64](keys)).
		Order("case_id desc, booked_at desc nulls last, roster_id desc nulls last").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read links of cases: %w", err)
	}
	out := make(map[int64][]*models.CourtLink, len(keys))
	for _, r := range rows {
		out[r.OfKey] = append(out[r.OfKey], &r.CourtLink)
	}
	return out, nil
}
