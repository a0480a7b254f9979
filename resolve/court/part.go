package court

import (
	"slices"
	"time"
)

// Part is one charge, hearing or disposition as a source reports it. A part that was taken back stays in the claim while a
// late row could bring it back.
type Part[T comparable] struct {
	// Key is the part's name within its list: the number of a charge, the event of a hearing, day and outcome of a disposition.
	Key   string `json:"key"`
	Facts T      `json:"facts,omitzero"` // of the newest row that reports it
	// Said is the newest row that reports it; zero: none did yet, it was only taken back.
	Said Moment `json:"said,omitzero"`
	// Since is from when it is reported as it is.
	Since time.Time `json:"since,omitzero"`
	// First is the first row that reported it, also where it was gone in between.
	First Moment `json:"first,omitzero"`
	// Was is the day and time of a hearing in its first row, by which it is recognised under another name.
	Was string `json:"was,omitempty"`
	// Gone is the newest row that says, or shows by its silence, that it is not.
	Gone Moment `json:"gone,omitzero"`
	// Removed is the newest row that says so.
	Removed Moment `json:"removed,omitzero"`
}

// Stands reports whether the part is still reported.
func (p *Part[T]) Stands() bool { return p.Said != Moment{} && !p.Gone.After(p.Said) }

// List holds the parts of one kind. A row that reports all of them replaces those that are older.
type List[T comparable] struct {
	// All is the newest row that reported all there are; zero: none did.
	All Moment `json:"all,omitzero"`
	// Parts are in the order of their keys.
	Parts []Part[T] `json:"parts,omitempty"`
}

// IsZero reports whether nothing was ever reported; the JSON leaves it out.
func (l List[T]) IsZero() bool { return l.All == Moment{} && len(l.Parts) == 0 }

// reported is one part in a row: its key, its facts, and of a hearing its day and time.
type reported[T comparable] struct {
	key   string
	facts T
	was   string
}

// tell folds in the parts of a row. all says that the row reports all parts there are: the others ended with it.
func (l *List[T]) tell(parts []reported[T], all bool, at Moment) {
	for _, p := range parts {
		l.add(p, at)
	}
	if !all {
		return
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		if !slices.ContainsFunc(parts, func(r reported[T]) bool { return r.key == p.Key }) {
			p.end(at)
		}
	}
	if at.After(l.All) {
		l.All = at
	}
}

// part finds a part by its key, and adds it when it is new. The pointer is good until the next call.
func (l *List[T]) part(key string) *Part[T] {
	i, found := slices.BinarySearchFunc(l.Parts, key, func(p Part[T], k string) int {
		switch {
		case p.Key < k:
			return -1
		case p.Key > k:
			return 1
		}
		return 0
	})
	if !found {
		l.Parts = slices.Insert(l.Parts, i, Part[T]{Key: key})
	}
	return &l.Parts[i]
}

// add folds in that a row reports a part. A newer row that reports all without it wins; a part that comes back after it was
// gone is reported as it is since then.
func (l *List[T]) add(r reported[T], at Moment) {
	p := l.part(r.key)
	if (p.Said == Moment{}) && l.All.After(at) {
		p.end(l.All) // a newer row that reports all does not have it
	}
	if p.First.After(at) || p.Said == (Moment{}) {
		p.First, p.Was = at, r.was
	}
	switch {
	case p.Said == Moment{}:
		p.Facts, p.Said, p.Since = r.facts, at, at.At
	case p.Said.After(at):
		if at.At.After(p.Since) && p.Facts != r.facts {
			p.Since = p.Said.At
		}
	default:
		if p.Gone.After(p.Said) && at.After(p.Gone) || p.Facts != r.facts {
			p.Since = at.At
		}
		p.Facts, p.Said = r.facts, at
	}
}

// remove folds in that a row takes a part back, whether or not it was reported before: rows come in any order.
func (l *List[T]) remove(key string, at Moment) {
	p := l.part(key)
	if at.After(p.Removed) {
		p.Removed = at
	}
	p.end(at)
}

// end notes a row that says or shows that the part is not.
func (p *Part[T]) end(at Moment) {
	if at.After(p.Gone) {
		p.Gone = at
	}
}

// renew passes the moments of all parts to a function that may move them (Refresh).
func (l *List[T]) renew(renew func(*Moment)) {
	for i := range l.Parts {
		renew(&l.Parts[i].Said)
		renew(&l.Parts[i].Removed)
		renew(&l.Parts[i].Gone)
	}
}

// heal moves the instants of parts that renew leaves alone (Report.Heal).
func (l *List[T]) heal(to func(time.Time) time.Time) {
	for i := range l.Parts {
		p := &l.Parts[i]
		p.Since, p.First.At = to(p.Since), to(p.First.At)
	}
}

// prune forgets parts that a row which reports all replaced. That row alone says as much of every older row, so nothing is
// lost, and claims of long cases stay small.
func (l *List[T]) prune() {
	l.Parts = slices.DeleteFunc(l.Parts, func(p Part[T]) bool { return !p.Stands() && !p.Gone.After(l.All) })
	if len(l.Parts) == 0 {
		l.Parts = nil
	}
}

// Standing lists the facts of the parts that are still reported, in the order of their keys.
func (l *List[T]) Standing() []T {
	var out []T
	for i := range l.Parts {
		if l.Parts[i].Stands() {
			out = append(out, l.Parts[i].Facts)
		}
	}
	return out
}
