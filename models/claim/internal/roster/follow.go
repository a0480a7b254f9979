package roster

import (
	"context"
	"maps"
	"slices"

	"rollcall/models/claim/internal/engine"
)

// FollowCases withholds the bookings that some cases name with the birth of somebody under 17, and publishes those that
// were withheld on account of cases which do so no longer. It opens a session of its own family in the transaction of s,
// which is one of the courts. cases are keys of cases; by is what changed them. Court cases follow the bookings in turn.
func FollowCases(ctx context.Context, s *engine.Session, cases []int64, by engine.Origin) error {
	if len(cases) == 0 {
		return nil
	}
	ro := newRoster()
	// Facts of bookings stay as they are: only who may see them is decided anew.
	ro.Run = &engine.Run{Session: s.Other(Family)}
	ro.SourceID, ro.RunID, ro.cases = by.Source, by.Run, cases
	// Who reads a roster holds its lock and may wait for that of the courts, which this session has: so it is taken only where
	// a booking is concerned. A run of courts whose rows may concern one took it at its beginning (lock_roster).
	concerned, err := ro.concerned(ctx)
	if err != nil || !concerned {
		return err
	}
	if err := ro.Lock(ctx); err != nil {
		return err
	}
	if err := ro.causes(ctx); err != nil {
		return err
	}
	// Without a run, changes are ascribed to the source of the first booking.
	for _, rid := range slices.Sorted(maps.Keys(ro.after)) {
		if ro.SourceID == "" {
			ro.SourceID = ro.after[rid].Source
		}
	}
	return ro.news(ctx)
}

// concerned reports whether the visibility of some booking may follow from the cases at hand.
func (ro *roster) concerned(ctx context.Context) (some bool, err error) {
	// Nothing was written yet in this session, so no booking has the generation -1.
	const none = -1
	var rid int64
	return some, ro.Each(ctx, "affected_bookings", engine.Args{"counties": []int16{}, "gen": none, "records": ro.atHand(), "cases": ro.casesAtHand()}, []any{&rid}, func() error {
		some = true
		return nil
	})
}

// origin returns what changes the bookings: a run, or an operator's decision.
func (ro *roster) origin() engine.Origin {
	if ro.RunID == 0 {
		return engine.Origin{}
	}
	return engine.Origin{Run: ro.RunID, Source: ro.SourceID}
}
