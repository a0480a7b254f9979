package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db/column"
)

// namedAt returns the key of the record that the id of the record own named at an instant: own until it was
// merged, then the record that it was merged into.
func (s *Store) namedAt(ctx context.Context, f models.Family, own int64, at time.Time) (key int64, err error) {
	if err := s.find(ctx, f, "named_at", pgx.StrictNamedArgs{"key": own, "at": at}, &key); err != nil {
		return 0, fmt.Errorf("look for what an id named: %w", err)
	}
	return key, nil
}

// unmergeBooking makes of b, which an id resolves to today, the booking that the id named at an instant.
// Without it asOf before a merge would show another stay of the person, under the id that a customer wrote
// down.
func (s *Store) unmergeBooking(ctx context.Context, b *models.Booking, id string, at time.Time) error {
	own, _, merged, err := s.mergedInto(ctx, models.Roster, id)
	if err != nil || !merged {
		return err
	}
	key, err := s.namedAt(ctx, models.Roster, own, at)
	if err != nil || key == b.RID {
		return err
	}
	found, _, err := rosterTable.find(rosterTable.reached(ctx, s, at).Where("b.rid = ?", key))
	if err != nil {
		return fmt.Errorf("read merged booking: %w", err)
	}
	charges, err := s.ChargesOf(ctx, []int64{key})
	if err != nil {
		return err
	}
	// Nothing is found when the record cannot be read any more; then b stays as it is, and its versions
	// decide.
	if len(found) > 0 {
		*b = *found[0]
		b.PastCharges = append([]*models.BookingCharge{}, charges[key]...)
	}
	return nil
}

// unmergeCorrections is unmergeBooking for corrections records.
func (s *Store) unmergeCorrections(ctx context.Context, o *models.CorrectionsRecord, gdcID string, at time.Time) error {
	own, _, merged, err := s.mergedInto(ctx, models.Corrections, gdcID)
	if err != nil || !merged {
		return err
	}
	key, err := s.namedAt(ctx, models.Corrections, own, at)
	if err != nil || key == o.CID {
		return err
	}
	found, _, err := correctionsTable.find(correctionsTable.reached(ctx, s, at).Where("o.cid = ?", key))
	if err != nil {
		return fmt.Errorf("read merged record: %w", err)
	}
	if len(found) > 0 {
		*o = *found[0]
	}
	return nil
}

// casesNamed returns the keys of the cases that a number named at an instant, each with the key of its record
// today: those that have the number, and those that were merged into others.
func (s *Store) casesNamed(ctx context.Context, n numbered, at time.Time) (map[int64]int64, error) {
	q := s.rows(ctx).Table("reachable_cases").Select("id as own, coalesce(merged_into, id) as today").Where("case_number = ?", n.number)
	if n.county != 0 {
		q = q.Where("county_id = ?", n.county)
	}
	var found []struct{ Own, Today int64 }
	if err := q.Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("look for cases of a number: %w", err)
	}
	out := make(map[int64]int64, len(found))
	for _, c := range found {
		key := c.Own
		if c.Own != c.Today {
			var err error
			if key, err = s.namedAt(ctx, models.Courts, c.Own, at); err != nil {
				return nil, err
			}
		}
		out[key] = c.Today
	}
	return out, nil
}

// casesByNumberAsOf returns the cases that a number named at an instant, as they were published then, latest
// filed first. Their keys are today's, for links; so dispositions of a merged case are read here, by its own
// key.
func (s *Store) casesByNumberAsOf(ctx context.Context, n numbered, at time.Time) ([]*models.CourtCase, error) {
	today, err := s.casesNamed(ctx, n, at)
	if err != nil {
		return nil, err
	}
	keys := slices.Sorted(maps.Keys(today))
	found, _, err := courtTable.find(courtTable.reached(ctx, s, at).Where("c.id = any (?)", column.Array[int64](keys)).
		Order("c.filed_date desc, c.county_id, c.id"))
	if err != nil {
		return nil, fmt.Errorf("read cases of a number: %w", err)
	}
	out, err := s.casesAsOf(ctx, found, at)
	if err != nil {
		return nil, err
	}
	for _, c := range out {
		if c.Key == today[c.Key] {
			continue
		}
		if c.PastDispositions == nil {
			known, err := s.DispositionsOf(ctx, []int64{c.Key})
			if err != nil {
				return nil, err
			}
			c.PastDispositions = append([]*models.Disposition{}, known[c.Key]...)
		}
		c.Key = today[c.Key]
	}
	return out, nil
}
