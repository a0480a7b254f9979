package claim

import (
	"context"
)

// followCases withholds the bookings that some cases name with the birth of somebody under 17, and publishes those that
// were withheld on account of cases which do not any more, in the transaction of a session. by is what changed the cases.
func followCases(ctx context.Context, s *session, cases []int64, by origin) error {
	if len(cases) == 0 {
		return nil
	}
	ro := newRoster()
	ro.run = &run{session: s.other(rosterFamily)}
	ro.SourceID, ro.RunID, ro.cases = by.source, by.run, cases
	// Who reads a roster holds its lock and may wait for that of the courts, which this session has: so it is taken only where
	// a booking is concerned. A run of courts whose rows may concern one took it at its beginning (lock_roster).
	concerned, err := ro.concerned(ctx)
	if err != nil || !concerned {
		return err
	}
	if err := ro.lock(ctx); err != nil {
		return err
	}
	if err := ro.causes(ctx); err != nil {
		return err
	}
	return ro.news(ctx)
}

// concerned reports whether the visibility of some booking may follow from the cases at hand.
func (ro *roster) concerned(ctx context.Context) (some bool, err error) {
	const none = -1 // no generation: nothing was written yet
	var rid int64
	return some, ro.each(ctx, "affected_bookings", args{"counties": []int16{}, "gen": none, "cases": ro.casesAtHand()}, []any{&rid}, func() error {
		some = true
		return nil
	})
}

// origin is what brings the changes of bookings: a run, or an operator's decision.
func (ro *roster) origin() origin {
	if ro.RunID == 0 {
		return origin{}
	}
	return origin{run: ro.RunID, source: ro.SourceID}
}
