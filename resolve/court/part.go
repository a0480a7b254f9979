package court

import (
	"slices"
	"time"
)

// Part is one charge, hearing or disposition as a source reports it.
type Part[T comparable] struct {
	Key     string    `json:"key"`
	Facts   T         `json:"facts,omitzero"`
	Said    Moment    `json:"said,omitzero"`    // the newest row that reports it
	Since   time.Time `json:"since,omitzero"`   // from when it is reported as it is
	First   Moment    `json:"first,omitzero"`   // the first row that reported it, also where it was gone since
	Was     string    `json:"was,omitempty"`    // of a hearing: its day and time then
	Gone    Moment    `json:"gone,omitzero"`    // the newest row that says, or shows by its silence, that it is not
	Removed Moment    `json:"removed,omitzero"` // the newest row that says so
}

// Stands reports whether the part is reported still.
func (p *Part[T]) Stands() bool { return p.Said != Moment{} && !p.Gone.After(p.Said) }

// List is the parts of one kind. A row that reports all of them replaces those that are older.
type List[T comparable] struct {
	All   Moment    `json:"all,omitzero"` // the newest row that reported all there are
	Parts []Part[T] `json:"parts,omitempty"`
}

// IsZero reports whether nothing was ever reported; the JSON leaves it out.
func (l List[T]) IsZero() bool { return l.All == Moment{} && len(l.Parts) == 0 }

// reported is one part in a row.
type reported[T comparable] struct {
	key   string
	facts T
	was   string
}

// tell folds in the parts of a row. all says that there are no others.
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

// part finds a part by its key, and makes it when it is new.
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

// remove folds in that a row takes a part back.
func (l *List[T]) remove(key string, at Moment) {
	p := l.part(key)
	if at.After(p.Removed) {
		p.Removed = at
	}
	p.end(at)
}

func (p *Part[T]) end(at Moment) {
	if at.After(p.Gone) {
		p.Gone = at
	}
}

func (l *List[T]) renew(renew func(*Moment)) {
	for i := range l.Parts {
		renew(&l.Parts[i].Said)
		renew(&l.Parts[i].Removed)
		renew(&l.Parts[i].Gone)
	}
}

// prune forgets parts that a row which reports all replaced, where nothing goes by what they were: it says the same
// of every older row.
func (l *List[T]) prune() {
	l.Parts = slices.DeleteFunc(l.Parts, func(p Part[T]) bool { return !p.Stands() && !p.Gone.After(l.All) })
	if len(l.Parts) == 0 {
		l.Parts = nil
	}
}

// Standing lists the parts that are reported still, in the order of their keys.
func (l *List[T]) Standing() []T {
	var out []T
	for i := range l.Parts {
		if l.Parts[i].Stands() {
			out = append(out, l.Parts[i].Facts)
		}
	}
	return out
}
