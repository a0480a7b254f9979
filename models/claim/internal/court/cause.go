package court

import (
	"context"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// causesOfCases finds, by case, the bookings on whose account cases must be withheld: those that they name by number or that
// a link joins them to. A case that speaks of a juvenile's booking would name the person whom the jail's record hides.
// The cases are taken as they are about to be stored.
func causesOfCases(ctx context.Context, s *engine.Session, cases []caseChange) (map[int64][]resolve.Cause, error) {
	out := map[int64][]resolve.Cause{}
	if len(cases) == 0 {
		return out, nil
	}
	ids, keys, numbers := make([]int64, len(cases)), make([]snapshot.CaseKey, len(cases)), make([]string, len(cases))
	for i := range cases {
		ids[i], keys[i], numbers[i] = cases[i].id, cases[i].key, match.BookingNumber(cases[i].after.BookingKey)
	}
	a := keyColumns(keys)
	a["records"], a["bookings"] = ids, numbers
	var id int64
	var c resolve.Cause
	c.Of.Family = models.Roster
	return out, s.Each(ctx, "case_causes", a, []any{&id, &c.Of.Record, &c.Rule, &c.Since}, func() error {
		got := c
		got.Since = c.Since.UTC()
		out[id] = append(out[id], got)
		return nil
	})
}

// FollowBookings withholds the cases that name one of some bookings which is withheld as a juvenile's, and publishes those
// that named no other. bookings are keys, and by is what changed them. It opens a session of the courts in the transaction
// of s and takes their lock: a run of a court at this moment has these cases in hand, or will see these bookings.
// Its counterpart is roster.FollowCases. The lock of the roster comes before that of the courts (engine.Session, Lock).
func FollowBookings(ctx context.Context, s *engine.Session, bookings []int64, by engine.Origin) error {
	if len(bookings) == 0 {
		return nil
	}
	t := s.Other(Family)
	if err := t.Lock(ctx); err != nil {
		return err
	}
	var cases []int64
	var id int64
	err := t.Each(ctx, "cases_of_bookings", engine.Args{"bookings": bookings}, []any{&id}, func() error {
		cases = append(cases, id)
		return nil
	})
	if err != nil || len(cases) == 0 {
		return err
	}
	_, err = casesAnew(ctx, t, cases, by)
	return err
}
