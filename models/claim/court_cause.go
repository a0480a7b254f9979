package claim

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/resolve"
)

// causes finds the bookings on whose account cases have to be withheld: a case that speaks of a juvenile's booking
// would name whom the jail's record hides. The cases are as they are about to be stored.
func (s *session) causesOfCases(ctx context.Context, cases []caseChange) (map[int64][]resolve.Cause, error) {
	out := map[int64][]resolve.Cause{}
	if len(cases) == 0 {
		return out, nil
	}
	ids, keys, numbers := make([]int64, len(cases)), make([]models.CaseKey, len(cases)), make([]string, len(cases))
	for i := range cases {
		ids[i], keys[i], numbers[i] = cases[i].id, cases[i].key, bookingNumber(cases[i].after.BookingKey)
	}
	a := keyColumns(keys)
	a["records"], a["bookings"] = ids, numbers
	var id int64
	var c resolve.Cause
	c.Of.Family = models.Roster
	return out, s.each(ctx, "case_causes", a, []any{&id, &c.Of.Record, &c.Rule, &c.Since}, func() error {
		got := c
		got.Since = c.Since.UTC()
		out[id] = append(out[id], got)
		return nil
	})
}

// FollowBookings withholds, in a transaction of the caller, the cases that speak of those of some bookings that are withheld
// as juveniles', and lets go those that spoke of no other. source and run are those of the snapshot that changed
// the bookings, empty and 0 where an operator did.
func (s *Store) FollowBookings(ctx context.Context, tx pgx.Tx, bookings []int64, source string, run int64, now time.Time) error {
	if len(bookings) == 0 {
		return nil
	}
	t := s.session(tx, models.Courts, now)
	if err := t.lock(ctx); err != nil { // who reads a court at this moment has these cases in hand, or will see these bookings
		return err
	}
	var cases []int64
	var id int64
	err := t.each(ctx, "cases_of_bookings", args{"bookings": bookings}, []any{&id}, func() error {
		cases = append(cases, id)
		return nil
	})
	if err != nil || len(cases) == 0 {
		return err
	}
	_, err = casesAnew(ctx, t, cases, origin{run, source})
	return err
}
