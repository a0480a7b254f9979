package roster

import (
	"context"

	"rollcall/models/claim/internal/engine"
	"rollcall/resolve"
)

// absences notes the claims that a complete snapshot lacks. A person of whom a row may speak that could not be taken counts
// as seen. Bookings whose sources disagree about custody are resolved again in every run: each new snapshot may settle them.
// A late snapshot may date an absence that is known already.
//
// An absence is the only way in which somebody is released without a word of the jail. Besides the confirmations three things
// must hold: the snapshot is proven complete, no row of it that could not be taken may be of the person, and no newer snapshot
// listed the key.
func (ro *roster) absences(ctx context.Context) error {
	// What unreadable rows say of juveniles counts also where nobody's absence does.
	if err := ro.unread(ctx); err != nil {
		return err
	}
	if err := ro.Absences(ctx, ro.miss); err != nil || !ro.Tracks || !ro.Proven.Complete {
		return err
	}
	if err := ro.touchAll(ctx, "disputed_records", engine.Args{"source": ro.SourceID}); err != nil {
		return err
	}
	if ro.At.Before(ro.Policy.LastComplete) {
		return ro.touchAll(ctx, "dated_later", engine.Args{"source": ro.SourceID, "at": ro.At})
	}
	// From here on this snapshot is the newest complete one, as it will be noted at the end.
	// The claims in memory share the policy: those that are listed were last seen in it (resolve.Head, LastSeen).
	ro.Policy.LastComplete = resolve.Instant(ro.At)
	return nil
}

// touchAll has the bookings that a statement finds resolved anew.
func (ro *roster) touchAll(ctx context.Context, statement string, args engine.Args) error {
	var record int64
	return ro.Each(ctx, statement, args, []any{&record}, func() error {
		ro.Touch(record)
		return nil
	})
}

// miss notes the absences of some claims, Chunk at most.
func (ro *roster) miss(ctx context.Context, absent []engine.Absentee, exempt *engine.Exemption) error {
	// Bookings are loaded whole: whether one is over depends on the claims of all sources.
	known := make([]keyed, len(absent))
	for i, a := range absent {
		known[i] = keyed{key: a.Key, record: a.Record}
	}
	claims, err := ro.claimsUnder(ctx, known)
	if err != nil {
		return err
	}
	at := resolve.Instant(ro.At)
	for _, a := range absent {
		c := claims[a.Key] // nil: the key names another booking since
		if c == nil || !ro.Miss(&c.Head, c.Facts.Name, exempt) {
			continue
		}
		if c.SaidAt.Before(at) { // else the person is exempt
			ro.seen[c.Record] = engine.Later(ro.seen[c.Record], c.SaidAt)
		}
		if c.Present && c.Misses > 0 {
			ro.Applied.Missing++
		}
		ro.touchClaim(c)
	}
	return nil
}

// unread notes in the claims of people of whom an unreadable row speaks as of somebody under 17 that it did. Their bookings
// are withheld until a row that can be read says otherwise (FEEDS.md, guarantee 11).
func (ro *roster) unread(ctx context.Context) error {
	if ro.Exempt == nil {
		return nil
	}
	children := ro.Exempt().Children
	if len(children) == 0 {
		return nil
	}
	claims, err := engine.ClaimsByKey[resolve.BookingFacts](ctx, ro.Session, ro.SourceID, children)
	if err != nil {
		return err
	}
	if err := ro.load(ctx, recordsOf(claims)); err != nil {
		return err
	}
	for _, found := range claims {
		// A claim of a booking at hand may have become another: that one is marked.
		c := ro.claim(found)
		c.Age.Unread, c.Age.UnreadAt = true, engine.Later(c.Age.UnreadAt, resolve.Instant(ro.At))
		ro.touchClaim(c)
	}
	return nil
}
