package record

import (
	"context"
	"fmt"

	"rollcall/models"
	"rollcall/models/db/column"
)

// ChargesOf returns the charges of bookings by key, in the order of the source. Bookings whose source reports
// descriptions only have none here. An empty text is nil, so that callers see one kind of unknown.
func (s *Store) ChargesOf(ctx context.Context, rids []int64) (map[int64][]*models.BookingCharge, error) {
	var rows []*models.BookingChargeRow
	if err := s.rows(ctx).Where("rid = any (?)", column.Array[int64](rids)).Order("rid, seq").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read charges: %w", err)
	}
	out := make(map[int64][]*models.BookingCharge, len(rids))
	for _, r := range rows {
		for _, text := range []**string{&r.Statute, &r.Severity, &r.BondText, &r.Disposition} {
			if *text != nil && **text == "" { // callers see one kind of nothing
				*text = nil
			}
		}
		out[r.RID] = append(out[r.RID], &r.BookingCharge)
	}
	return out, nil
}

// BondsOf returns the bonds of bookings by key. Charges are read of those alone that have no amount.
func (s *Store) BondsOf(ctx context.Context, bookings []*models.Booking) (map[int64]models.Bond, error) {
	var open []int64
	for _, b := range bookings {
		if b.BondCents == nil {
			open = append(open, b.RID)
		}
	}
	var charges map[int64][]*models.BookingCharge
	if len(open) > 0 {
		var err error
		if charges, err = s.ChargesOf(ctx, open); err != nil {
			return nil, err
		}
	}
	out := make(map[int64]models.Bond, len(bookings))
	for _, b := range bookings {
		out[b.RID] = models.BondOf(b.BondCents, charges[b.RID])
	}
	return out, nil
}
