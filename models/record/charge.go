package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// ChargesOf gives the charges of bookings by key, in the order of the source. Bookings whose source gives descriptions only
// have none here.
func (s *Store) ChargesOf(ctx context.Context, rids []int64) (map[int64][]*models.BookingCharge, error) {
	rows, err := s.Pool().Query(ctx, `select rid, description, nullif(statute, ''), nullif(severity, ''), bond_cents, nullif(bond_text, ''), nullif(disposition, '') from booking_charges where rid = any($1) order by rid, seq`, rids)
	if err != nil {
		return nil, fmt.Errorf("read charges: %w", err)
	}
	out := make(map[int64][]*models.BookingCharge, len(rids))
	var rid int64
	var c models.BookingCharge
	_, err = pgx.ForEachRow(rows, []any{&rid, &c.Description, &c.Statute, &c.Severity, &c.BondCents, &c.BondText, &c.Disposition}, func() error {
		one := c
		out[rid] = append(out[rid], &one)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read charges: %w", err)
	}
	return out, nil
}
