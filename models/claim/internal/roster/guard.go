package roster

import (
	"context"
	"maps"
	"slices"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// turnover asks the key-turnover guard about the keys that came and went, before anything is written. A vendor who changes
// all booking numbers or times at once would else release everybody and book them again. A HeldError ends the run.
func (ro *roster) turnover(ctx context.Context) error {
	// A first snapshot has nothing to be compared with, and one without new keys turned nothing over.
	if ro.GuardTurnover == nil || ro.Present == 0 || !ro.newKeys() && len(ro.again) == 0 {
		return nil
	}
	// Every source can book people twice. Only one that lists everybody can lack keys.
	t := snapshot.KeyTurnover{Changes: true}
	if err := ro.doubled(ctx, &t); err != nil {
		return err
	}
	count := ro.elsewhere
	if ro.Tracks {
		count = ro.comings
	}
	if err := count(ctx, &t); err != nil {
		return err
	}
	if reason := ro.GuardTurnover(t); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// doubled counts the bookings that the snapshot would make, and those among them that the source has already under other
// keys, at about the same time.
func (ro *roster) doubled(ctx context.Context, t *snapshot.KeyTurnover) error {
	a := engine.Args{"source": ro.SourceID, "dealt": ro.dealt(), "within": resolve.Doubled}
	return ro.One(ctx, "doubled_keys", a, &t.Came, &t.Doubled, &t.Renumbered)
}

// dealt returns the keys that were dealt with as newcomers. They are never nil, which would be null in a statement: it equals
// nothing and differs from nothing.
func (ro *roster) dealt() []string { return slices.AppendSeq([]string{}, maps.Keys(ro.fresh)) }

// elsewhere counts the newcomers of a source of changes whom it reported in another county before. Those whom both counties
// report since the last snapshot are left out: a jail of several counties is listed under each. Documents that are read again may
// have been refused before, so they are asked nothing.
func (ro *roster) elsewhere(ctx context.Context, t *snapshot.KeyTurnover) error {
	if ro.Returns || t.Came == 0 {
		return nil
	}
	since, err := ro.SinceLast(ctx)
	if err != nil || since <= 0 {
		return err
	}
	a := engine.Args{"source": ro.SourceID, "dealt": ro.dealt(), "last": ro.At.Add(-since)}
	return ro.One(ctx, "known_elsewhere", a, &t.Elsewhere)
}

// comings counts the keys that came and went, of a source that lists everybody.
func (ro *roster) comings(ctx context.Context, t *snapshot.KeyTurnover) error {
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
	// Rows that came twice or were refused are no keys of the list.
	count := resolve.CountTurnover(fresh, vanished, ro.Applied.Rows-ro.Applied.Repeated-len(ro.Applied.Rejected), known, last)
	t.Changes, t.Listed, t.Fresh, t.Overdue, t.Known, t.Vanished = false, count.Listed, count.Fresh, count.Overdue, count.Known, count.Vanished
	t.Again, t.By, t.Moved, t.Replaced = count.Again, "time of booking", count.Rekeyed, count.Replaced
	if !last.IsZero() {
		t.Since = ro.At.Sub(last)
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
	if ro.GuardMassChange == nil || max(ro.Impact.Most(), ro.alike()) < engine.FewChanges {
		return nil
	}
	u := snapshot.MassChange{Closed: ro.Impact.Kinds[engine.Release], Spoken: ro.spoken, Overdue: ro.overdue}
	if err := ro.One(ctx, "open_bookings", engine.Args{"source": ro.SourceID}, &u.Open); err != nil {
		return err
	}
	// The longer the source was silent, the more releases are plausible.
	var err error
	if u.Since, err = ro.SinceLast(ctx); err != nil {
		return err
	}
	if !ro.gone.IsZero() {
		u.Since = max(u.Since, ro.At.Sub(ro.gone))
	}
	u.Lists = ro.Tracks
	if err := ro.rewrites(ctx, &u); err != nil {
		return err
	}
	if reason := ro.GuardMassChange(u); reason != "" {
		return &snapshot.HeldError{Reason: reason}
	}
	return nil
}

// rewrites counts, fact by fact, whose facts the snapshot would change, and how many of those whom it names had the fact:
// a jail in which few have a bond would else lose them all unnoticed.
func (ro *roster) rewrites(ctx context.Context, u *snapshot.MassChange) error {
	// Nothing is written yet, so the tables count what was known before this run.
	had := map[string]int{}
	var births, charges, bonds int
	if err := ro.One(ctx, "facts_known", engine.Args{"source": ro.SourceID}, &u.Known, &births, &charges, &bonds); err != nil {
		return err
	}
	u.Known += len(ro.rekeyed)
	had[resolve.RewriteBirth], had[resolve.RewriteCharges], had[resolve.RewriteBond] = births, charges, bonds
	for _, rid := range ro.rekeyed {
		before := ro.before[rid]
		for fact, known := range map[string]bool{
			resolve.RewriteBirth: before.Year != 0, resolve.RewriteCharges: len(before.Charges) > 0, resolve.RewriteBond: before.Bond != nil,
		} {
			if known {
				had[fact]++
			}
		}
	}
	for _, fact := range resolve.BookingRewrites {
		r := snapshot.Rewrite{Fact: fact, Rows: ro.Impact.Kinds[fact], Refused: ro.Impact.Refused[fact], Of: had[fact]}
		r.Late = fact == resolve.RewriteCharges || fact == resolve.RewriteBond // of many at once, when nobody looked for long
		if fact == resolve.RewriteBond {
			r.Alike = ro.alike()
		}
		u.Rewrites = append(u.Rewrites, r)
	}
	return nil
}

// alike is how many known bonds would become one and the same, or end: the most of any amount.
func (ro *roster) alike() (most int) {
	for _, n := range ro.bonds {
		most = max(most, n)
	}
	return most
}
