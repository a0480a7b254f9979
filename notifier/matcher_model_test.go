package notifier_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"rollcall/models"
)

// world is what must come of a sequence of snapshots, edits of watchers and matches: the rules of
// DECISIONS.md, "Alerts", written down as simply as they can be.
type world struct {
	records  map[string]*record
	watchers []*watcher
	success  time.Time // of the source; zero: none yet
	batches  int
	moment   int // counts commits of snapshots and edits of watchers
	open     []*change
	events   []string
}

type record struct {
	row      person
	released bool
	changes  int
	release  *change // the newest one, unless it was retracted
}

type watcher struct {
	name          string
	events        []models.EventKind
	since         int
	paused, ended bool
	dismissed     map[string]bool         // by key
	told          map[string]map[int]bool // by key: the changes told, -1 for the booking
	id            string
}

type change struct {
	number, batch, at int
	kind, key         string
	name, old         string
	retracts          *change
}

func newWorld() *world { return &world{records: map[string]*record{}} }

// snapshot applies a list that was committed at the moment now.
func (w *world) snapshot(now time.Time, complete bool, listed []person) {
	baseline := w.success.IsZero() || now.Sub(w.success) > 90*time.Minute
	w.success = now
	w.moment++
	w.batches++
	before := len(w.open)
	recent := func(p person) bool { return !baseline || !p.booked.Before(now.Add(-24*time.Hour)) }
	here := map[string]bool{}
	for _, row := range listed {
		here[row.key] = true
		r, known := w.records[row.key]
		if !known {
			r = &record{row: row}
			w.records[row.key] = r
			if row.withheld == "" && recent(row) {
				w.change(r, "booking", "")
			}
			continue
		}
		old, wasReleased := r.row, r.released
		r.row, r.released = row, false
		switch {
		case old.withheld == "" && row.withheld == "":
			if old.name != row.name && recent(row) {
				w.change(r, "booking", old.name)
			}
			if old.bond != row.bond {
				w.change(r, "bond_change", "")
			}
			if wasReleased && r.release != nil {
				w.change(r, "retraction", "")
			}
		case old.withheld != "" && row.withheld == "" && recent(row):
			w.change(r, "booking", "")
		case old.withheld == "" && row.withheld != "" && r.changes > 0:
			w.change(r, "sealed", "")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.records)) {
		if r := w.records[key]; complete && !here[key] && !r.released {
			r.released = true
			if r.row.withheld == "" {
				w.change(r, "release", "")
			}
		}
	}
	if len(w.open) == before {
		w.batches-- // nothing happened
	}
}

func (w *world) change(r *record, kind, old string) {
	c := &change{number: w.moment*100 + len(w.open), batch: w.batches, at: w.moment, kind: kind, key: r.row.key, name: r.row.name, old: old}
	r.changes++
	switch kind {
	case "release":
		r.release = c
	case "retraction":
		c.retracts, r.release = r.release, nil
	}
	w.open = append(w.open, c)
}

// match makes events of the open changes that taken says were matched.
func (w *world) match(taken func(*change) bool) {
	var left []*change
	for _, back := range []bool{false, true} { // what takes something back comes after what it takes back
		for _, c := range w.open {
			if back != (c.kind == "retraction" || c.kind == "sealed") {
				continue
			}
			if !taken(c) {
				left = append(left, c)
				continue
			}
			for i, o := range w.watchers {
				if w.tells(o, c) {
					w.events = append(w.events, fmt.Sprintf("%d %s %s", i, c.kind, c.key))
				}
			}
		}
	}
	slices.SortFunc(left, func(a, b *change) int { return a.number - b.number })
	w.open = left
}

// tells decides whether a watcher is told of a change, and remembers it.
func (w *world) tells(o *watcher, c *change) bool {
	if o.ended {
		return false
	}
	told := o.told[c.key]
	withheld := w.records[c.key].row.withheld != ""
	switch c.kind {
	case "retraction":
		return !withheld && told[c.retracts.number]
	case "sealed":
		return len(told) > 0
	}
	if o.paused || withheld || o.since > c.at || o.name != c.name || o.name == c.old || o.dismissed[c.key] || !slices.Contains(o.events, models.EventKind(c.kind)) {
		return false
	}
	if c.kind == "booking" && told[-1] {
		return false
	}
	if told == nil {
		told = map[int]bool{}
		o.told[c.key] = told
	}
	told[c.number] = true
	if c.kind == "booking" {
		told[-1] = true
	}
	return true
}
