package roster

import (
	"context"
	"maps"
	"slices"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// insert makes the bookings that nobody knew: of claims that go apart or were pending, then of the rows of new keys.
func (ro *roster) insert(ctx context.Context) error {
	apart := slices.Concat(slices.SortedFunc(maps.Values(ro.split), byKey), slices.SortedFunc(maps.Values(ro.pending), byKey))
	if err := ro.make(ctx, apart, true); err != nil {
		return err
	}
	// Most snapshots end here.
	// What follows looks at each staged row, so it is left out where no key is new.
	if !ro.Imported && !ro.newKeys() && len(ro.again) == 0 {
		return nil
	}
	return ro.eachNew(ctx, func(groups []engine.Group[snapshot.RosterRow]) error {
		claims := make([]*resolve.BookingClaim, 0, len(groups))
		var pending []*resolve.BookingClaim
		for i := range groups {
			switch c := ro.foldNew(&groups[i]); {
			case c == nil:
			case c.Facts.Known():
				claims = append(claims, c)
			default: // only a release is known under the key: there is no person to show yet
				pending = append(pending, c)
				ro.Applied.Pending += len(groups[i].Rows)
			}
		}
		if err := engine.WriteClaims(ctx, ro.Session, pending, nil); err != nil {
			return err
		}
		return ro.make(ctx, claims, false)
	})
}

// foldNew folds the rows of a new key into a claim. It returns nil when none of them was taken.
func (ro *roster) foldNew(g *engine.Group[snapshot.RosterRow]) *resolve.BookingClaim {
	c := resolve.NewBooking(ro.Policy, g.Key, 0)
	c.HowAt = ro.Now
	ro.order(g, c)
	if taken, _ := ro.tell(c, nil, g); !taken {
		return nil
	}
	return c
}

// make makes a booking of each claim, in the order of booking times, so that public ids follow it. known says that the claims
// were stored before.
// A booking is made of one claim. What other sources say of it is matched with it when their rows come.
func (ro *roster) make(ctx context.Context, claims []*resolve.BookingClaim, known bool) error {
	if len(claims) == 0 {
		return nil
	}
	slices.SortStableFunc(claims, func(a, b *resolve.BookingClaim) int { return a.Facts.BookedAt.Compare(b.Facts.BookedAt) })
	states := make([]resolve.BookingState, len(claims))
	for i, c := range claims {
		// Causes are looked for when all bookings are written, and news comes after that: nobody is notified in between.
		states[i] = resolve.Booking(resolve.BookingInput{Claims: []*resolve.BookingClaim{c}, Now: ro.Now})
		// A new booking may be disputed already: a late file lists a person whom newer ones lack.
		c.Disputed = len(states[i].Disputed) > 0
	}
	if err := ro.number(ctx, claims, states); err != nil {
		return err
	}
	for i, c := range claims {
		c.Record = states[i].Record
		ro.lateRelease(&states[i].BookingRecord)
		ro.date(&states[i].BookingRecord)
		since := states[i].BookedAt
		ro.AddFresh(snapshot.Gone{Name: states[i].Name, Since: &since}, states[i].Visibility)
	}
	// Keys follow each other while the family is locked, so the first and the last tell which bookings the run made.
	if ro.firstID == 0 {
		ro.firstID = states[0].Record
	}
	ro.lastID = states[len(states)-1].Record
	ro.Applied.New += len(claims)
	// New rows go straight into their tables, without a join.
	columns := slices.Concat([]string{"id", "county_id", "known_at", "last_change", "gen", "imported"}, writtenBookings[:len(writtenBookings)-1])
	err := ro.Copy(ctx, "bookings", columns, func(yield func([]any, error) bool) {
		for i := range states {
			b := &states[i].BookingRecord
			first := []any{b.ID, b.County, ro.Now, ro.Now, ro.Gen, ro.Imported, b.Record, b.Source}
			if !yield(slices.Concat(first, bookingFacts(b), []any{b.FirstSeen, b.LastSeen}), nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	err = writeCharges(ctx, ro.Session, func(yield func(int64, []snapshot.Charge) bool) {
		for i := range states {
			if !yield(states[i].Record, states[i].Charges) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if known {
		return engine.WriteClaims(ctx, ro.Session, nil, claims)
	}
	// In the order of their keys neighbours lie on the same pages of two indexes.
	slices.SortFunc(claims, byKey)
	return engine.WriteClaims(ctx, ro.Session, claims, nil)
}

// date notes when the newest published booking of the run began or ended. Where all of them are older than the baseline,
// nobody is notified of new bookings.
func (ro *roster) date(b *resolve.BookingRecord) {
	if b.Visibility.Withheld() != "" {
		return
	}
	if ro.newest = engine.Later(ro.newest, b.BookedAt); b.Released != nil {
		ro.newest = engine.Later(ro.newest, *b.Released)
	}
}

// lateRelease notes the release of a new booking that newer snapshots lack already, as a late file brings it: the person was
// in jail at first, and the history shows it.
func (ro *roster) lateRelease(b *resolve.BookingRecord) {
	if b.After == nil {
		return
	}
	open := *b
	open.Released, open.Inferred = nil, false
	for _, v := range resolve.Diff(open.Fields(), b.Fields()) {
		ro.versions = append(ro.versions, engine.Version{Record: b.Record, Source: b.Source, Version: v})
	}
	ro.Applied.Closed++
}
