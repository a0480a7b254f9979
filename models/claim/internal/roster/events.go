package roster

import (
	"context"
	"maps"
	"slices"
	"time"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// reporter writes what watchers are notified of, in one transaction: changes of bookings with their facts frozen, in one
// batch, which a job matches later (docs/architecture.md, An alert).
type reporter struct {
	*engine.Session
	source string
	// run is the run that brought the changes; 0: an operator's decision.
	run int64
	// detected is when the changes were detected.
	detected time.Time
	// batch is the batch of the transaction; 0: nothing was written yet.
	batch int64
}

// told is an event of a known booking.
type told struct {
	record int64
	before *resolve.BookingRecord
	resolve.Event
}

// start begins the batch of the transaction, once.
func (n *reporter) start(ctx context.Context) error {
	if n.batch != 0 {
		return nil
	}
	if err := n.One(ctx, "begin_batch", engine.Args{"source": n.source, "run": n.run, "at": n.detected}, &n.batch); err != nil {
		return err
	}
	n.Began(n.batch)
	return nil
}

// tell writes events of known bookings, in the order of their keys. A corrected person is written with the old name and
// birth, so that those who watch for either are notified.
func (n *reporter) tell(ctx context.Context, events []told) error {
	if len(events) == 0 {
		return nil
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b told) int { return int(a.record - b.record) })
	var (
		records []int64
		kinds   []string
		bonds   []*int64
		names   []*string
		dobs    []*models.Date
		years   []*int16
		either  []bool
	)
	for _, e := range events {
		records, kinds, bonds = append(records, e.record), append(kinds, string(e.Kind)), append(bonds, e.OldBond)
		var name *string
		var dob *models.Date
		var year *int16
		if e.Corrected || e.Either {
			name, dob, year = &e.before.Name, e.before.DOB, engine.OrNull(e.before.Year)
		}
		names, dobs, years, either = append(names, name), append(dobs, dob), append(years, year), append(either, e.Either)
	}
	return n.Do(ctx, "known_changes", engine.Args{
		"batch": n.batch, "at": n.detected, "source": n.source, "records": records, "kinds": kinds, "old_bonds": bonds, "old_names": names,
		"old_dobs": dobs, "old_years": years, "either": either,
	})
}

// end asks for the events to be matched, and notes in the batch which watchers there are. It waits for writers of watchers,
// so each watcher is before the batch or after it, whatever the clocks say. Without events it does nothing.
func (n *reporter) end(ctx context.Context) error {
	if n.batch == 0 {
		return nil
	}
	if err := n.AskMatch(ctx); err != nil {
		return err
	}
	if err := n.Do(ctx, "wait_for_watchers", nil); err != nil {
		return err
	}
	return n.Do(ctx, "note_watchers", engine.Args{"batch": n.batch})
}

// news notes what this transaction changed of bookings, whatever steps there were: versions, ended decisions, withdrawn
// deliveries, and the events that watchers are notified of.
func (ro *roster) news(ctx context.Context) error {
	baseline, err := ro.baseline(ctx)
	if err != nil {
		return err
	}
	n := &reporter{Session: ro.Session, source: ro.SourceID, run: ro.RunID, detected: ro.DetectedAt()}
	if err := ro.tellNew(ctx, n, baseline); err != nil {
		return err
	}
	// What a booking was and what it is are compared once, at the end: steps in between leave no event.
	// Bookings that the run made have no state before: tellNew wrote their events.
	var events []told
	var hidden []int64
	versions := ro.versions
	for _, rid := range slices.Sorted(maps.Keys(ro.after)) {
		if ro.made(rid) {
			continue // nobody saw it before its causes withheld it
		}
		before, after := ro.before[rid], &ro.after[rid].BookingRecord
		for _, e := range resolve.Events(before, after, baseline) {
			// A new rule is no event in a person's life; but what should not have been sent is taken back.
			if ro.Rebuild && e.Kind != models.EventWithheld {
				continue
			}
			of := before
			other, news := resolve.OfEither(&e, after, ro.of[rid])
			if !news {
				continue
			}
			if other != nil {
				as := *before
				as.Name, as.DOB, as.Year = other.Name, other.DOB, other.Year
				of, e.Either = &as, true
			}
			events = append(events, told{rid, of, e})
		}
		// The public lost it, for whatever reason: deliveries under way must not name it any more.
		if before.Visibility.Withheld() == "" && after.Visibility.Withheld() != "" {
			hidden = append(hidden, rid)
		}
		for _, v := range ro.diffs[rid] {
			versions = append(versions, engine.Version{Record: rid, Source: ro.teller(after), Version: v})
		}
	}
	if err := ro.WriteVersions(ctx, ro.RunID, versions); err != nil {
		return err
	}
	if err := ro.endDecisions(ctx); err != nil {
		return err
	}
	if err := n.withdraw(ctx, hidden); err != nil {
		return err
	}
	if err := n.tell(ctx, events); err != nil {
		return err
	}
	return n.end(ctx)
}

// made reports whether the run made a booking. Their keys follow each other: the family is locked.
func (ro *roster) made(rid int64) bool { return ro.firstID != 0 && rid >= ro.firstID }

// endDecisions ends the decisions of operators whose grounds hold no more: what comes after is reviewed anew.
func (ro *roster) endDecisions(ctx context.Context) error {
	var ids []int64
	for _, rid := range slices.Sorted(maps.Keys(ro.after)) {
		ids = append(ids, ro.after[rid].Spent...)
	}
	return ro.EndDecisions(ctx, ids)
}

// tellNew writes the events of the bookings that the run made, by one statement: a first load makes a million of them. A
// takeover is no news.
func (ro *roster) tellNew(ctx context.Context, n *reporter, b resolve.Baseline) error {
	// Withheld bookings are no news, so a run that made no others has none.
	if ro.Imported || ro.newest.IsZero() || ro.newest.Before(b.Since) {
		return nil
	}
	// The statement compares with a time: without a bound, all of them are news.
	since := b.Since
	if since.IsZero() {
		since = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	return ro.Do(ctx, "new_changes", engine.Args{
		"batch": n.batch, "first": ro.firstID, "last": ro.lastID, "gen": ro.Gen, "since": since,
		"source": n.source, "at": n.detected,
	})
}

// baseline bounds what is news. A source that is read for the first time, or again after an outage, brings bookings that
// began long ago: nobody is notified of them.
func (ro *roster) baseline(ctx context.Context) (b resolve.Baseline, err error) {
	if ro.Policy == nil { // no snapshot: what an operator or a court brings about is always news
		return b, nil
	}
	window := ro.BaselineWindow
	if window <= 0 {
		window = snapshot.DefaultBaselineWindow
	}
	// A corrected name never brings old releases up again, whatever the source did before.
	// Bookings and other releases are bounded only where the source is new, was silent for long, or is read again.
	b.Corrected = ro.Now.Add(-window)
	var first bool
	if err := ro.One(ctx, "baseline", engine.Args{"source": ro.SourceID, "now": ro.Now}, &first); err != nil {
		return b, err
	}
	if first || ro.Returns {
		b.Since = b.Corrected
	}
	return b, nil
}

// teller returns the source that a version is ascribed to: that of the snapshot, or of the booking where an operator decided.
func (ro *roster) teller(b *resolve.BookingRecord) string {
	if ro.RunID == 0 {
		return b.Source
	}
	return ro.SourceID
}

// withdraw ends what is under way of bookings that the public lost: deliveries are dropped, and answers that are kept for
// repeated requests forget them. Bookings that were merged into these are among them. A delivery that is loaded for sending
// at this moment is looked at again right before it is sent. Without this, a webhook could name a juvenile.
func (n *reporter) withdraw(ctx context.Context, hidden []int64) error {
	all, err := n.Withdraw(ctx, hidden)
	if err != nil || len(all) == 0 {
		return err
	}
	return n.Do(ctx, "cancel_deliveries", engine.Args{"records": all, "reason": string(models.DropWithheld), "at": n.detected})
}
