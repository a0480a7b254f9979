package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// courtLinks reads links whose both ends are published; %s is the column asked for.
const courtLinks = `select l.%[1]s, l.case_id, l.rid, l.cid, l.confidence, l.reasons from court_links l
 join court_cases c on c.id = l.case_id and c.withheld is null
 left join bookings b on b.rid = l.rid left join corrections_records o on o.cid = l.cid
 where l.%[1]s = any($1) and b.withheld is null and o.withheld is null
 order by l.case_id desc, b.booked_at desc nulls last, b.id desc nulls last`

// CourtLinksOfCases gives the people of cases by key: their bookings, newest first, then the corrections record.
func (s *Store) CourtLinksOfCases(ctx context.Context, cases []int64) (map[int64][]*models.CourtLink, error) {
	return s.courtLinksBy(ctx, "case_id", cases)
}

// CourtLinksOfBookings gives the cases of bookings by key.
func (s *Store) CourtLinksOfBookings(ctx context.Context, rids []int64) (map[int64][]*models.CourtLink, error) {
	return s.courtLinksBy(ctx, "rid", rids)
}

// CourtLinksOfRecords gives the cases of corrections records by key.
func (s *Store) CourtLinksOfRecords(ctx context.Context, cids []int64) (map[int64][]*models.CourtLink, error) {
	return s.courtLinksBy(ctx, "cid", cids)
}

func (s *Store) courtLinksBy(ctx context.Context, column string, keys []int64) (map[int64][]*models.CourtLink, error) {
	rows, err := s.Pool().Query(ctx, fmt.Sprintf(courtLinks, column), keys)
	if err != nil {
		return nil, fmt.Errorf("read links of cases: %w", err)
	}
	out := make(map[int64][]*models.CourtLink, len(keys))
	_, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (struct{}, error) {
		var l models.CourtLink
		var key int64
		err := r.Scan(&key, &l.CaseKey, &l.RID, &l.CID, &l.Confidence, &l.Reasons)
		out[key] = append(out[key], &l)
		return struct{}{}, err
	})
	if err != nil {
		return nil, fmt.Errorf("read links of cases: %w", err)
	}
	return out, nil
}

// BookingsByKeys gives published bookings by internal key.
func (s *Store) BookingsByKeys(ctx context.Context, keys []int64) (map[int64]*models.Booking, error) {
	return s.kept.bookings.Read(ctx, keys, s.readBookings)
}

// CourtCasesByKeys gives published cases by internal key.
func (s *Store) CourtCasesByKeys(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, error) {
	return s.kept.cases.Read(ctx, keys, s.readCourtCases)
}
