package models

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// BookingCharge is one charge of a booking, with what its source tells beside the description.
type BookingCharge struct {
	Description string
	Statute     *string
	Severity    *string // as the jail words it, such as felony
	BondCents   *int64  // of this charge alone; nil: none stated
	BondText    *string // what the jail says of the bond in words
	Disposition *string
}

// BondAmount is the charge's bond in US dollars, nil when none is stated.
func (c *BookingCharge) BondAmount() *float64 { return usd(c.BondCents) }

// ChargesOf gives the charges of bookings by key, in the order of the source. Bookings whose source gives descriptions only
// have none here.
func (s *Store) ChargesOf(ctx context.Context, rids []int64) (map[int64][]*BookingCharge, error) {
	rows, err := s.pool.Query(ctx, `select rid, description, nullif(statute, ''), nullif(severity, ''), bond_cents, nullif(bond_text, ''), nullif(disposition, '') from booking_charges where rid = any($1) order by rid, seq`, rids)
	if err != nil {
		return nil, fmt.Errorf("read charges: %w", err)
	}
	out := make(map[int64][]*BookingCharge, len(rids))
	var rid int64
	var c BookingCharge
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

// PlainCharges are charges of which nothing but the description is known.
func PlainCharges(descriptions []string) []*BookingCharge {
	out := make([]*BookingCharge, len(descriptions))
	for i, d := range descriptions {
		out[i] = &BookingCharge{Description: d}
	}
	return out
}
