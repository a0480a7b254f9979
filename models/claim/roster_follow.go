package claim

import (
	"context"

	"rollcall/models"
)

// followCases withholds the bookings that some cases name with the birth of somebody under 17, and publishes those that
// were withheld on account of cases which do not any more, in the transaction of a session. by is what changed the cases.
func followCases(ctx context.Context, s *session, cases []int64, by origin) error {
	if len(cases) == 0 {
		return nil
	}
	ro := newRoster()
	ro.run = &run{session: s.store.session(s.tx, models.Roster, s.now)}
	ro.Now, ro.SourceID, ro.RunID, ro.cases = s.now, by.source, by.run, cases
	if err := ro.lock(ctx); err != nil {
		return err
	}
	if err := ro.causes(ctx); err != nil {
		return err
	}
	return ro.news(ctx)
}

// origin is what brings the changes of bookings: a run, or an operator's decision.
func (ro *roster) origin() origin {
	if ro.RunID == 0 {
		return origin{}
	}
	return origin{ro.RunID, ro.SourceID}
}
