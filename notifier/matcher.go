package notifier

import (
	"context"
	"slices"
	"time"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/store"
)

// matchChunk is how many changes one transaction matches: enough to be quick, few enough that the events of
// others wait only moments.
const matchChunk = 200

// Matcher turns open changes into events, hits and deliveries.
type Matcher struct {
	Store *store.Store
	// Standing finds the watchers that a change may concern.
	Standing *Standing
	// Matched is called after each transaction with the numbers of changes that were matched and of events and
	// deliveries that were made, and the time it took. Nil: nobody looks.
	Matched func(changes, events, deliveries int, took time.Duration)
}

// Drain matches every open change that no other process is matching, and returns their number. A crash at any
// moment leaves the changes of at most one transaction open, with none of its events. So an event is made once
// for each watcher, record and change.
func (m *Matcher) Drain(ctx context.Context) (int, error) {
	total := 0
	for {
		started := time.Now()
		var r round
		n, err := m.Store.MatchChanges(ctx, matchChunk, func(ctx context.Context, tx *alert.Matching, changes []*models.Change) error {
			r = round{Matching: tx, standing: m.Standing, changes: changes}
			return r.run(ctx)
		})
		if err != nil {
			return total, err
		}
		if n == 0 {
			return total, nil
		}
		total += n
		if m.Matched != nil {
			m.Matched(n, r.events, r.deliveries, time.Since(started))
		}
	}
}

// round is one transaction of a matcher.
type round struct {
	*alert.Matching
	standing *Standing
	// Changes of this transaction, in the order in which they were committed.
	changes []*models.Change
	// How many events and deliveries it made.
	events     int
	deliveries int
}

// candidate is a watcher that a change may concern, before the database is asked about it.
type candidate struct {
	change  *models.Change
	watcher string
	// Event that this change takes back, which the watcher was sent; nil for a change that reports something
	// new.
	told *models.Notified
}

// run matches the changes of the transaction: the index finds candidates, the database confirms them, events
// and notices are written, then their deliveries.
func (r *round) run(ctx context.Context) error {
	var newest int64
	for _, c := range r.changes {
		newest = max(newest, c.WatcherRev)
	}
	if err := r.standing.reach(ctx, newest); err != nil {
		return err
	}
	found := r.standingHits()
	told, err := r.told(ctx)
	if err != nil {
		return err
	}
	events, err := r.admit(ctx, append(found, told...))
	if err != nil {
		return err
	}
	if events, err = r.New(ctx, events); err != nil {
		return err
	}
	notices, counties, err := r.notices(ctx)
	if err != nil {
		return err
	}
	made, err := r.WriteEvents(ctx, append(events, notices...))
	if err != nil {
		return err
	}
	r.events = len(made)
	return r.deliver(ctx, made, told, counties)
}

// standingHits asks the index about each change that reports something new. Withheld records raise nothing.
func (r *round) standingHits() []candidate {
	var out []candidate
	var hits, before []match.Hit
	for _, c := range r.changes {
		if c.Withheld || c.Kind != models.EventBooking && c.Kind != models.EventRelease && c.Kind != models.EventBondChange {
			continue
		}
		hits, _ = r.standing.index.Match(hits[:0], &match.Booking{Name: match.Parse(c.Name), County: c.County.Slug, Born: models.BornOf(c.Dob, c.BirthYear)})
		before = before[:0]
		if c.Old != nil {
			before, _ = r.standing.index.Match(before, &match.Booking{Name: match.Parse(c.Old.Name), County: c.County.Slug, Born: models.BornOf(c.Old.Dob, c.Old.BirthYear)})
		}
		for _, h := range hits {
			// A watcher that matched before the correction got its event then, or was created too late for it.
			if c.Either || !has(before, h.ID) {
				out = append(out, candidate{change: c, watcher: h.ID})
			}
		}
		// What happened besides the correction concerns who watches for the person of before.
		for _, h := range before {
			if c.Either && !has(hits, h.ID) {
				out = append(out, candidate{change: c, watcher: h.ID})
			}
		}
	}
	return out
}

// has reports whether a watcher is among hits.
func has(hits []match.Hit, watcher string) bool {
	return slices.ContainsFunc(hits, func(h match.Hit) bool { return h.ID == watcher })
}

// told returns the watchers that retractions and withheld records concern: those that were sent the event
// before.
func (r *round) told(ctx context.Context) ([]candidate, error) {
	of := map[int64]*models.Change{}
	var ids []int64
	for _, c := range r.changes {
		if c.TakesBack() {
			of[c.ID] = c
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := r.NotifiedOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	return toldOf(of, rows), nil
}

// toldOf returns those who were notified of what changes take back, as candidates. of holds the changes by id.
func toldOf(of map[int64]*models.Change, rows []models.Notified) (out []candidate) {
	for i := range rows {
		if c := of[rows[i].ChangeID]; c != nil {
			out = append(out, candidate{change: c, watcher: rows[i].WatcherID, told: &rows[i]})
		}
	}
	return out
}

// admit makes events of the candidates whose watcher still exists. An event that takes something back always
// reaches the watcher that was sent it. Any other needs a watcher that is not paused, asks for this kind, was
// active when the change was committed, is sure enough at its level, and has not dismissed the person
// (DECISIONS, "Alerts").
func (r *round) admit(ctx context.Context, candidates []candidate) ([]*alert.NewEvent, error) {
	if len(candidates) == 0 {
		return nil, nil
	}
	ids := make([]string, len(candidates))
	rids := make([]int64, 0, len(candidates))
	for i, c := range candidates {
		ids[i] = c.watcher
		rids = append(rids, *c.change.RID)
	}
	slices.Sort(ids)
	watchers, err := r.Watchers(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	dismissed, err := r.Dismissed(ctx, ids, rids)
	if err != nil {
		return nil, err
	}
	var out []*alert.NewEvent
	for _, c := range candidates {
		w := watchers[c.watcher]
		if w == nil {
			continue
		}
		if c.told != nil {
			e := &alert.NewEvent{Change: c.change, Watcher: w, AccountID: w.AccountID, Probability: c.told.Probability, Reasons: c.told.Reasons, HitID: &c.told.HitID}
			if c.change.Kind == models.EventRetraction {
				e.Retracts = &c.told.EventID
			} else {
				e.About, e.AboutAt = c.told.Events, c.told.At
			}
			out = append(out, e)
			continue
		}
		if w.Paused || w.SinceRev > c.change.WatcherRev || !slices.Contains(w.Events, c.change.Kind) || isDismissed(dismissed[w.ID], c.change) {
			continue
		}
		if e := eventOf(w, c.change); e != nil {
			out = append(out, e)
		}
	}
	return out, nil
}

// eventOf scores a watcher and a change by what the database says about the watcher. It returns nil below the
// watcher's level. The index may be a moment behind, so its score does not decide. A change that concerns the person of
// before a correction too is scored by whichever of the two the watcher matches better.
func eventOf(w *models.Watcher, c *models.Change) *alert.NewEvent {
	watched, booked := match.ParseWatched(w.Name, w.County != nil), match.Parse(c.Name)
	born, bornBooked := w.Born(), models.BornOf(c.Dob, c.BirthYear)
	p := match.CompareWatched(&watched, &booked, born, bornBooked).Probability
	if c.Old != nil && c.Either {
		old, bornOld := match.Parse(c.Old.Name), models.BornOf(c.Old.Dob, c.Old.BirthYear)
		if q := match.CompareWatched(&watched, &old, born, bornOld).Probability; q > p {
			p, booked, bornBooked = q, old, bornOld
		}
	}
	if p < levelOf(w.Level).From(&watched) {
		return nil
	}
	return &alert.NewEvent{Change: c, Watcher: w, AccountID: w.AccountID, Probability: p, Reasons: match.ExplainWatched(&watched, &booked, born, bornBooked)}
}

// isDismissed reports whether the person of a change is one that the watcher has dismissed.
func isDismissed(dismissals []models.Dismissal, c *models.Change) bool {
	who := models.Subject{RID: *c.RID, Name: c.Name, CountyID: c.County.ID, Dob: c.Dob, BirthYear: c.BirthYear}
	return slices.ContainsFunc(dismissals, func(d models.Dismissal) bool { return d.Covers(&who) })
}
