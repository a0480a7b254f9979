package roster

import (
	"context"
	"slices"
	"time"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// absences notes the claims that a complete snapshot lacks. A person of whom a row may speak that could not be taken counts
// as seen. Bookings whose sources disagree about custody are resolved again in every run: each new snapshot may settle them.
func (ro *roster) absences(ctx context.Context) error {
	if err := ro.unread(ctx); err != nil {
		return err
	}
	if !ro.Tracks || !ro.Proven.Complete {
		return nil
	}
	absent, err := ro.Absentees(ctx)
	if err != nil {
		return err
	}
	exempt, err := ro.Exemption(ctx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(absent, engine.Chunk) {
		if err := ro.miss(ctx, some, exempt); err != nil {
			return err
		}
	}
	var record int64
	err = ro.Each(ctx, "disputed_records", engine.Args{"source": ro.SourceID}, []any{&record}, func() error {
		ro.Touch(record)
		return nil
	})
	// From here on this snapshot is the newest complete one, as it will be noted at the end.
	if ro.At.After(ro.Policy.LastComplete) {
		ro.Policy.LastComplete = resolve.Instant(ro.At)
	}
	return err
}

// miss notes the absences of some claims, Chunk at most.
func (ro *roster) miss(ctx context.Context, absent []engine.Absentee, exempt *engine.Exemption) error {
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
		key, c := a.Key, claims[a.Key]
		if c == nil {
			continue // it names another booking since
		}
		last := c.LastSeen()
		// A row that could not be taken may be of this person, who counts as seen then.
		if exempt.Keys[key] || exempt.Named(c.Facts.Name) {
			if c.Present && last.Before(at) {
				c.SaidAt, c.Misses, c.MissingSince = at, 0, nil
				ro.touchClaim(c)
			}
			continue
		}
		// A newer snapshot listed the claim: this one is late.
		if !last.Before(at) {
			continue
		}
		ro.seen[c.Record] = engine.Later(ro.seen[c.Record], last)
		c.SaidAt = last // unchanged rows were not written
		c.Recount()
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

// turnover asks the key-turnover guard about the keys that came and went, before anything is written. A vendor who changes
// all booking numbers at once would else release everybody and book them again. A HeldError ends the run.
func (ro *roster) turnover(ctx context.Context) error {
	if !ro.Tracks || ro.GuardTurnover == nil || ro.Present == 0 || !ro.newKeys() {
		return nil
	}
	fresh, err := ro.freshKeys(ctx)
	if err != nil || len(fresh) == 0 {
		return err
	}
	// A key that leaves the source's window by age is not a key that went.
	window := engine.Args{"source": ro.SourceID, "window": ro.WindowDays, "start": resolve.WindowStart(ro.At, max(1, ro.WindowDays))}
	vanished, err := ro.vanishedKeys(ctx, window)
	if err != nil {
		return err
	}
	var known int
	if err := ro.One(ctx, "count_listed", window, &known); err != nil {
		return err
	}
	last := ro.Policy.LastComplete
	// Who is the same person under another key is decided by name and time of booking, without a database.
	count := resolve.CountTurnover(fresh, vanished, ro.Applied.Rows-ro.Applied.Repeated-len(ro.Applied.Rejected), known, last)
	t := snapshot.KeyTurnover{
		Listed: count.Listed, Fresh: count.Fresh, Overdue: count.Overdue, Known: count.Known, Vanished: count.Vanished,
		Again: count.Again, By: "time of booking", Moved: count.Rekeyed, Replaced: count.Replaced,
	}
	if !last.IsZero() {
		t.Since = ro.At.Sub(last)
	}
	if reason := ro.GuardTurnover(t); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// freshKeys lists the people under keys that the source did not use before. Those whom another source reported already are
// left out, and those recognised under another key are marked.
func (ro *roster) freshKeys(ctx context.Context) (list []resolve.Brief, err error) {
	var key string
	var b resolve.Brief
	return list, ro.Each(ctx, "fresh_keys", engine.Args{"source": ro.SourceID}, []any{&key, &b.County, &b.Name, &b.BookedAt}, func() error {
		got := b
		got.Rekeyed = ro.rekeyed[key] != 0
		if ro.fresh[key] && !got.Rekeyed {
			return nil // another source's booking
		}
		list = append(list, got)
		return nil
	})
}

// vanishedKeys lists the people under keys that the source listed and the snapshot lacks.
func (ro *roster) vanishedKeys(ctx context.Context, window engine.Args) (list []resolve.Brief, err error) {
	// A booking that was re-keyed did not vanish, though its old key did.
	moved := map[int64]bool{}
	for _, rid := range ro.rekeyed {
		moved[rid] = true
	}
	var key string
	var b resolve.Brief
	return list, ro.Each(ctx, "vanished_keys", window, []any{&key, &b.Record, &b.County, &b.Name, &b.BookedAt}, func() error {
		got := b
		got.Rekeyed = moved[b.Record]
		list = append(list, got)
		return nil
	})
}

// judge asks the mass-change guard, when absences are noted too and before anything is written. How long ago the last
// snapshot was counts: after a week many releases are plausible.
func (ro *roster) judge(ctx context.Context) error {
	if ro.GuardMassChange == nil || ro.Impact.Most() < engine.FewChanges {
		return nil
	}
	u := snapshot.MassChange{Closed: ro.Impact.Kinds[engine.Release], Spoken: ro.spoken, Overdue: ro.overdue, Known: ro.rows + len(ro.rekeyed)}
	if err := ro.One(ctx, "open_bookings", engine.Args{"source": ro.SourceID}, &u.Open); err != nil {
		return err
	}
	// The longer the source was silent, the more releases are plausible.
	var last *time.Time
	if err := ro.One(ctx, "last_snapshot", engine.Args{"source": ro.SourceID, "run": ro.RunID, "lists": ro.Tracks}, &last); err != nil {
		return err
	}
	if last != nil {
		u.Since = ro.At.Sub(*last)
	}
	if !ro.gone.IsZero() {
		u.Since = max(u.Since, ro.At.Sub(ro.gone))
	}
	u.Lists = ro.Tracks
	for _, fact := range resolve.BookingRewrites {
		late := fact == resolve.RewriteCharges || fact == resolve.RewriteBond // of many at once, when nobody looked for long
		u.Rewrites = append(u.Rewrites, snapshot.Rewrite{Fact: fact, Rows: ro.Impact.Kinds[fact], Late: late})
	}
	if reason := ro.GuardMassChange(u); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}
