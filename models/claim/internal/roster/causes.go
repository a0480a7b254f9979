package roster

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
	"rollcall/models/claim/internal/court"
	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// causes has bookings follow others of the same person that this run withheld, or withholds no more, and has court cases
// follow bookings. Else a juvenile hidden under one booking would be named by another one, or by a case.
//
// A record that is withheld on account of another one is no cause for a third, so two rounds end it.
func (ro *roster) causes(ctx context.Context) error {
	if len(ro.after) == 0 && ro.firstID == 0 && len(ro.cases) == 0 {
		return nil
	}
	counties, err := ro.countiesAtHand(ctx)
	if err != nil {
		return err
	}
	// The first round withholds or publishes those of the same person, and the second those that depended on them.
	for range 2 {
		changed, err := ro.followCauses(ctx, counties)
		if err != nil {
			return err
		}
		if !changed {
			break
		}
	}
	return ro.tellCases(ctx)
}

// countiesAtHand returns the counties of the bookings at hand, and of the cases that began it: other bookings are looked for
// only there.
func (ro *roster) countiesAtHand(ctx context.Context) (list []int16, err error) {
	var id int16
	return list, ro.Each(ctx, "counties_at_hand", engine.Args{"gen": ro.Gen, "records": ro.atHand(), "cases": ro.casesAtHand()}, []any{&id}, func() error {
		list = append(list, id)
		return nil
	})
}

// followCauses resolves the visibility of those bookings anew that what was resolved may concern, writes those that became
// others, and reports whether any did. Facts and custody stay as they are resolved already.
func (ro *roster) followCauses(ctx context.Context, counties []int16) (changed bool, err error) {
	var rids []int64
	var rid int64
	a := engine.Args{"counties": counties, "gen": ro.Gen, "records": ro.atHand(), "cases": ro.casesAtHand()}
	err = ro.Each(ctx, "affected_bookings", a, []any{&rid}, func() error {
		rids = append(rids, rid)
		return nil
	})
	if err != nil || len(rids) == 0 {
		return false, err
	}
	if err := ro.load(ctx, rids); err != nil {
		return false, err
	}
	if err := ro.policies(ctx); err != nil {
		return false, err
	}
	found, err := ro.causesOf(ctx, rids)
	if err != nil {
		return false, err
	}
	decisions, err := ro.DecisionsOf(ctx, rids)
	if err != nil {
		return false, err
	}
	was, diffs := map[int64]*resolve.BookingRecord{}, map[int64][]resolve.Version{}
	var write []int64
	for _, rid := range rids {
		before, state := ro.before[rid], ro.after[rid]
		// A booking that this transaction did not resolve is as it is stored.
		if state == nil {
			state = &resolve.BookingState{BookingRecord: *before}
		}
		now := resolve.Booking(resolve.BookingInput{Claims: ro.of[rid], Decisions: decisions[rid], Causes: found[rid], Before: before, Now: ro.Now})
		// Only visibility can differ: facts were resolved before, from the same claims.
		// A decision that is spent is noted even where nothing else changed: news ends it.
		if now.Visibility == state.Visibility || now.Visibility.Same(state.Visibility) && now.Visibility.Lifted == state.Visibility.Lifted {
			if ro.after[rid] == nil && len(now.Spent) > 0 {
				ro.becomes(rid, state)
			}
			if ro.after[rid] != nil {
				ro.after[rid].Spent = now.Spent
			}
			continue
		}
		// It may be written for the second time: what differs is measured from what the first time wrote.
		last := state.BookingRecord
		was[rid] = &last
		next := *state
		next.Visibility, next.Spent = now.Visibility, now.Spent
		ro.becomes(rid, &next)
		diffs[rid] = resolve.Diff(last.Fields(), next.Fields())
		write = append(write, rid)
	}
	if len(write) == 0 {
		return false, nil
	}
	return true, writeBookings(ctx, ro.Session, was, ro.after, diffs, write)
}

// causesOf finds, by booking, the records on whose account bookings may have to be withheld. The statement proposes pairs by
// number, person or name; a booking that a source proves to be an adult's has no cause, nor one of another person.
func (ro *roster) causesOf(ctx context.Context, rids []int64) (map[int64][]resolve.Cause, error) {
	var (
		rid, booking, kase int64
		rule               string
		hidden             resolve.Known
		dob                pgtype.Date
		since              time.Time
	)
	out := map[int64][]resolve.Cause{}
	return out, ro.Each(ctx, "causes_of", engine.Args{"records": rids}, []any{&rid, &booking, &kase, &rule, &hidden.Name, &dob, &hidden.Year, &since}, func() error {
		// The statement compares keys; whether the two can be one person is decided here, by name and birth.
		open := ro.before[rid]
		if after := ro.after[rid]; after != nil {
			open = &after.BookingRecord
		}
		hidden.DOB = engine.DayOf(dob)
		// To withhold an adult for an alike name hides that somebody is in jail. To publish a juvenile cannot be undone.
		if resolve.ProvenAdult(ro.of[rid]) || !resolve.MayBe(resolve.Known{Name: open.Name, DOB: open.DOB, Year: open.Year}, hidden) {
			return nil
		}
		of := resolve.Ref{Family: models.Roster, Record: booking}
		if kase != 0 {
			of = resolve.Ref{Family: models.Courts, Record: kase}
		}
		out[rid] = append(out[rid], resolve.Cause{Of: of, Rule: rule, Since: since.UTC()})
		return nil
	})
}

// atHand returns the bookings that this transaction resolved, whether they changed or not: a number that a claim got may be
// that of a juvenile. Those that it made follow from their generation.
func (ro *roster) atHand() []int64 { return append([]int64{}, slices.Sorted(maps.Keys(ro.after))...) } // a nil list would be null

// casesAtHand returns the cases that began this, as an argument of a statement: a nil list would be null.
func (ro *roster) casesAtHand() []int64 { return append([]int64{}, ro.cases...) }

// tellCases has court cases follow the bookings whose visibility changed, or that are withheld and were written.
// A case that is published beside a withheld booking would name the person, by the number that both show.
func (ro *roster) tellCases(ctx context.Context) error {
	// A booking that stays withheld is among them: a case may name it since.
	follow := map[int64]bool{}
	for rid, after := range ro.after {
		if before := ro.before[rid]; before.Visibility.Withheld() != after.Visibility.Withheld() || after.Visibility.Withheld() != "" {
			follow[rid] = true
		}
	}
	// Bookings that the run made are not at hand; the statement finds those of this generation.
	var rid int64
	err := ro.Each(ctx, "withheld_bookings", engine.Args{"gen": ro.Gen}, []any{&rid}, func() error {
		follow[rid] = true
		return nil
	})
	if err != nil || len(follow) == 0 {
		return err
	}
	return court.FollowBookings(ctx, ro.Session, slices.Sorted(maps.Keys(follow)), ro.origin())
}
