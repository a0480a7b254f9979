package record

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// namedAt gives the key of the record that an id, which resolves to another today, named at an instant: its own
// until it was merged, then the one that it was merged into.
func (s *Store) namedAt(ctx context.Context, f models.Family, id string, at time.Time) (key int64, err error) {
	err = s.Pool().QueryRow(ctx, `with recursive step (key, n) as (select gone, 0 from merged_records where family = $1 and id = $2
 union all select m.into_record, n + 1 from step p join merged_records m on m.family = $1 and m.gone = p.key and m.merged_at <= $3 where n < 100)
 select key from step order by n desc limit 1`, f, id, at).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("look for what an id named: %w", err)
	}
	return key, nil
}

// unmergeBooking makes of b, which an id resolves to today, the booking that the id named at an instant.
func (s *Store) unmergeBooking(ctx context.Context, b *models.Booking, id string, at time.Time) error {
	key, err := s.namedAt(ctx, models.Roster, id, at)
	if err != nil || key == b.RID {
		return err
	}
	rows, err := s.Pool().Query(ctx, `select `+bookingColumns+` from bookings b where b.rid = $1`, key)
	if err != nil {
		return fmt.Errorf("read merged booking: %w", err)
	}
	found, err := scanBookings(rows, s.Counties())
	if err != nil {
		return fmt.Errorf("read merged booking: %w", err)
	}
	charges, err := s.ChargesOf(ctx, []int64{key})
	if err != nil {
		return err
	}
	if len(found) > 0 {
		*b = *found[0]
		b.PastCharges = append([]*models.BookingCharge{}, charges[key]...)
	}
	return nil
}

// unmergeCorrections makes of o, which an offender id resolves to today, the record that the id named at an instant.
func (s *Store) unmergeCorrections(ctx context.Context, o *models.CorrectionsRecord, gdcID string, at time.Time) error {
	key, err := s.namedAt(ctx, models.Corrections, gdcID, at)
	if err != nil || key == o.CID {
		return err
	}
	rows, err := s.Pool().Query(ctx, `select `+correctionsColumns+` from corrections_records o where o.cid = $1`, key)
	if err != nil {
		return fmt.Errorf("read merged record: %w", err)
	}
	found, err := scanCorrections(rows)
	if err != nil {
		return fmt.Errorf("read merged record: %w", err)
	}
	if len(found) > 0 {
		*o = *found[0]
	}
	return nil
}

// casesNamed gives the keys of the cases that a number named at an instant, with the key of each one's record
// today: those that have the number, and those that were merged into others.
func (s *Store) casesNamed(ctx context.Context, n numbered, at time.Time) (map[int64]int64, error) {
	rows, err := s.Pool().Query(ctx, `select c.id, coalesce(m.record, c.id), m.id from court_cases c
 left join merged_records m on m.family = 'courts' and m.gone = c.id and c.withheld = '`+models.Merged+`'
 where c.case_number = $1 and (c.withheld is null or m.id is not null) and $2::smallint in (0, c.county_id)`, n.number, n.county)
	if err != nil {
		return nil, fmt.Errorf("look for cases of a number: %w", err)
	}
	out, merged := map[int64]int64{}, map[string]int64{}
	var key, today int64
	var id *string
	_, err = pgx.ForEachRow(rows, []any{&key, &today, &id}, func() error {
		if id != nil {
			merged[*id] = today
		} else {
			out[key] = today
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for cases of a number: %w", err)
	}
	for id, today := range merged {
		key, err := s.namedAt(ctx, models.Courts, id, at)
		if err != nil {
			return nil, err
		}
		out[key] = today
	}
	return out, nil
}

// publishedCase tells whether a case c is published, or was merged into one that is.
const publishedCase = `(c.withheld is null or c.withheld = '` + models.Merged + `' and exists (
 select from merged_records p join court_cases k on k.id = p.record where p.family = 'courts' and p.gone = c.id and k.withheld is null))`

// casesByNumberAsOf gives the cases that a number named at an instant, as they were published then.
func (s *Store) casesByNumberAsOf(ctx context.Context, n numbered, at time.Time) ([]*models.CourtCase, error) {
	today, err := s.casesNamed(ctx, n, at)
	if err != nil {
		return nil, err
	}
	keys := slices.Sorted(maps.Keys(today))
	rows, err := s.Pool().Query(ctx, `select `+fmt.Sprintf(courtColumns, "$2")+` from court_cases c
 where c.id = any($1) and `+publishedCase+` order by c.filed_date desc, c.county_id, c.id`, keys, at)
	if err != nil {
		return nil, fmt.Errorf("read cases of a number: %w", err)
	}
	found, err := scanCourtCases(rows, s.Counties())
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
