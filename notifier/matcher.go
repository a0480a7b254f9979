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

// matchChunk is how many changes one transaction matches: enough to be quick, few enough that events of
// others wait only moments.
const matchChunk = 200

// Matcher turns open changes into events, hits and deliveries.
type Matcher struct {
	Store    *store.Store
	Standing *Standing
	// Matched is told after each transaction how many changes were matched and how many events and
	// deliveries that made, and how long it took; nil: nobody.
	Matched func(changes, events, deliveries int, took time.Duration)
}

// Drain matches every open change that no other process is at, and gives their number. A crash at any
// moment leaves the changes of at most one transaction open, with none of its events.
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
	standing   *Standing
	changes    []*models.Change
	events     int
	deliveries int
}

// candidate is a watcher that a change may concern, before the database is asked about it.
type candidate struct {
	change  *models.Change
	watcher string
	told    *models.Told // set when the watcher was told of what this change takes back
}

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

// standingHits asks the index about every change of a record that tells something new.
func (r *round) standingHits() []candidate {
	var out []candidate
	var hits, before []match.Hit
	for _, c := range r.changes {
		if c.Withheld || c.Kind != models.EventBooking && c.Kind != models.EventRelease && c.Kind != models.EventBondChange {
			continue
		}
		hits, _ = r.standing.index.Match(hits[:0], &match.Booking{Name: match.Parse(c.Name), County: c.County.Slug, Born: birthOf(c.Dob, c.BirthYear)})
		before = before[:0]
		if c.Old != nil {
			before, _ = r.standing.index.Match(before, &match.Booking{Name: match.Parse(c.Old.Name), County: c.County.Slug, Born: birthOf(c.Old.Dob, c.Old.BirthYear)})
		}
		for _, h := range hits {
			// Whoever recognised the person before the correction was told then, or came too late.
			if !slices.ContainsFunc(before, func(b match.Hit) bool { return b.ID == h.ID }) {
				out = append(out, candidate{change: c, watcher: h.ID})
			}
		}
	}
	return out
}

// told lists whom retractions and sealed records concern: those who were told.
func (r *round) told(ctx context.Context) ([]candidate, error) {
	of := map[int64]*models.Change{}
	var ids []int64
	for _, c := range r.changes {
		if c.Kind == models.EventRetraction && !c.Withheld || c.Kind == models.EventSealed {
			of[c.ID] = c
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := r.ToldOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]candidate, len(rows))
	for i := range rows {
		out[i] = candidate{change: of[rows[i].ChangeID], watcher: rows[i].WatcherID, told: &rows[i]}
	}
	return out, nil
}

// admit makes events of the candidates whose watcher is there and, unless something that it was told is taken
// back, is not paused, asks for this kind, watched when the change was committed, is sure enough, and has not
// dismissed the person.
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

// eventOf scores a watcher and a change by what the database says of the watcher, and gives nil below
// its level.
func eventOf(w *models.Watcher, c *models.Change) *alert.NewEvent {
	watched, booked := match.Parse(w.Name), match.Parse(c.Name)
	born, bornBooked := birthOf(w.Dob, w.BirthYear), birthOf(c.Dob, c.BirthYear)
	p := match.CompareWatched(&watched, &booked, born, bornBooked).Probability
	if p < levelOf(w.Level).Threshold() {
		return nil
	}
	return &alert.NewEvent{Change: c, Watcher: w, AccountID: w.AccountID, Probability: p, Reasons: match.ExplainWatched(&watched, &booked, born, bornBooked)}
}

// isDismissed tells whether the person of a change is one that the watcher has dismissed.
func isDismissed(dismissals []models.Dismissal, c *models.Change) bool {
	who := models.Subject{RID: *c.RID, Name: c.Name, CountyID: c.County.ID, Dob: c.Dob, BirthYear: c.BirthYear}
	return slices.ContainsFunc(dismissals, func(d models.Dismissal) bool { return d.Covers(&who) })
}
