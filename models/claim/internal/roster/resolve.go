package roster

import (
	"context"
	"slices"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// resolve resolves the bookings whose claims may have become others, in memory, and counts what became of them.
func (ro *roster) resolve(ctx context.Context) error {
	slices.Sort(ro.Touched)
	ro.Touched = slices.Compact(ro.Touched)
	if err := ro.load(ctx, ro.Touched); err != nil {
		return err
	}
	if err := ro.policies(ctx); err != nil {
		return err
	}
	decisions, err := ro.DecisionsOf(ctx, ro.Touched)
	if err != nil {
		return err
	}
	for _, rid := range ro.Touched {
		ro.resolveOne(rid, decisions[rid])
		ro.tally(rid)
	}
	return nil
}

// resolveOne resolves one booking. A merged one is left as it is: its claims are those of the booking that stayed. A cause
// is kept as it is stored, because causes are looked for when all bookings are written (followCauses).
func (ro *roster) resolveOne(rid int64, decisions []resolve.Decision) {
	before := ro.before[rid]
	if before == nil || before.Merged {
		return
	}
	ro.succeed(rid)
	// Else a booking withheld on account of another would be published for a moment, and watchers notified.
	// Such a cause has no instant here, so what an operator decided about it counts until followCauses looks at it.
	var causes []resolve.Cause
	if because := before.Visibility.Because; because != nil {
		causes = append(causes, resolve.Cause{Of: *because})
	}
	for _, d := range decisions { // nor does a decision end about a cause that holds
		if d.Kind == resolve.Publish && d.Because != nil && !slices.ContainsFunc(causes, func(c resolve.Cause) bool { return c.Of == *d.Because }) {
			causes = append(causes, resolve.Cause{Of: *d.Because})
		}
	}
	state := resolve.Booking(resolve.BookingInput{Claims: ro.of[rid], Decisions: decisions, Causes: causes, Before: before, Now: ro.Now})
	ro.becomes(rid, &state)
	// Claims that disagree about custody are looked at in every run (absences).
	for _, c := range ro.of[rid] {
		if now := slices.Contains(state.Disputed, c.ID()); c.Disputed != now {
			c.Disputed = now
			ro.claims[c.ID()] = c
		}
	}
}

// becomes notes what a booking resolved to, and what differs from before.
// It can be called twice for a booking, by its claims and then by its causes. The difference is always that to the tables.
func (ro *roster) becomes(rid int64, state *resolve.BookingState) {
	ro.after[rid] = state
	ro.diffs[rid] = resolve.Diff(ro.before[rid].Fields(), state.Fields())
}

// succeed has the claim that speaks for the source from now on inherit from the one that did before. What it says otherwise
// is news; what it says alike is none, and does not overrule another source only because the key changed.
// Without it a jail that renumbers a booking would overrule the other sources by values that it only repeats.
func (ro *roster) succeed(rid int64) {
	before, known := ro.lead[rid]
	lead := ro.leadOf(rid)
	if !known || lead == nil || lead.ID() == before.ID() || !before.Present {
		return
	}
	resolve.SucceedBooking(lead, &before, resolve.Instant(ro.At))
	ro.claims[lead.ID()] = lead
}

// tally counts what became of a known booking: for the report, the mass-change guard and a rehearsal.
// What a reader cannot see, before or after, is not rehearsed: an operator decides about what people would notice.
func (ro *roster) tally(rid int64) {
	before, after := ro.before[rid], ro.after[rid]
	if after == nil {
		return
	}
	versions := ro.diffs[rid]
	closed, reopened := before.Released == nil && after.Released != nil, before.Released != nil && after.Released == nil
	switch {
	case closed:
		ro.Applied.Closed++
		ro.weighRelease(rid)
	case reopened: // its row was counted as unchanged, and the booking is not
		ro.Applied.Reopened++
		ro.Applied.Unchanged -= ro.unchanged[rid]
	}
	if len(versions) == 0 {
		return
	}
	if ro.told[rid] {
		ro.Applied.Changed++
	}
	if before.Visibility.Withheld() == "" && after.Visibility.Withheld() == "" {
		ro.rehearseBooking(before, after, versions)
	}
}

// weighRelease counts a release for the mass-change guard, if the source itself reported the person before.
func (ro *roster) weighRelease(rid int64) {
	// A release of somebody whom this source never reported is another source's doing.
	last, own := ro.seen[rid]
	if !own {
		return
	}
	after := ro.after[rid]
	ro.Impact.Note(engine.Release)
	// A release that the source states is overdue when it lies long before the source last listed the person.
	switch {
	case after.After != nil:
		ro.gone = engine.Later(ro.gone, last)
	case !after.Inferred && after.Released.Before(last.Add(-resolve.Overdue)):
		ro.overdue++
	}
}

// rehearseBooking adds a published booking to the rehearsal: as gone where it is released, and as altered where other facts
// change.
func (ro *roster) rehearseBooking(before *resolve.BookingRecord, after *resolve.BookingState, versions []resolve.Version) {
	if before.Released == nil && after.Released != nil {
		since := after.BookedAt
		ro.AddGone(snapshot.Gone{ID: after.ID, Name: after.Name, Since: &since, Inferred: after.Inferred})
		versions = slices.DeleteFunc(slices.Clone(versions), func(v resolve.Version) bool { return v.Field == "released_at" })
		if len(versions) == 0 {
			return
		}
	}
	ro.AddAltered(after.ID, after.Name, versions)
}
