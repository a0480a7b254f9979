package simulator

import (
	"maps"
	"slices"
	"time"

	"rollcall/internal/simulator/gallery"
)

// view is what one answer shows: a copy of the part of the world that the feed publishes. No lock is needed to render
// it.
type view struct {
	feed   Feed
	zone   *time.Location
	at     time.Time
	faults []Fault
	album  *gallery.Album
	// custody and departed are the jail's, in order of booking and of release.
	custody, departed []Booking
	cases             []Case
	deleted           []deletion
	offenders         []Offender
}

// has reports whether the feed has a fault.
func (v *view) has(fault Fault) bool { return slices.Contains(v.faults, fault) }

// pin keeps the view of a reader's first page until the reader has turned the others. Without it rows would move
// between pages, and a reader would miss people who are in custody: the fault Shifting.
type pin struct {
	view *view
	at   time.Time
}

const (
	// maxPins bounds the memory for readers who stop in the middle.
	pinFor  = 2 * time.Minute
	maxPins = 256
)

// look makes the view for an answer. A reader is one address and user agent at one feed. When first is false and the
// reader asked for the first page lately, it is the view of that page.
func (s *Simulator) look(feed Feed, reader string, first bool) *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	key := feed.ID + " " + reader
	faults := s.chaos[feed.ID]
	if p, ok := s.pins[key]; ok && !first && now.Sub(p.at) < pinFor && !slices.Contains(faults, Shifting) {
		again := *p.view
		again.faults = faults
		return &again
	}
	w, shown := s.world, now
	if slices.Contains(faults, Late) {
		shown = now.Add(-LateBy)
		w = s.trail(shown)
	} else {
		s.catchUp()
	}
	v := &view{feed: feed, zone: s.zone, at: shown.In(s.zone), faults: faults, album: &s.album}
	v.copyFrom(w)
	maps.DeleteFunc(s.pins, func(_ string, p pin) bool { return now.Sub(p.at) >= pinFor })
	if len(s.pins) < maxPins {
		s.pins[key] = pin{v, now}
	}
	return v
}

// copyFrom copies what the feed publishes. Bookings, cases and offenders are never changed in place.
func (v *view) copyFrom(w *world) {
	switch v.feed.Shape {
	case ShapeCourtDelta:
		v.cases, v.deleted = slices.Clone(w.cases), slices.Clone(w.deleted)
	case ShapeCorrections:
		v.offenders = slices.Clone(w.offenders)
	default:
		for i := range w.jails {
			if w.jails[i].county == v.feed.County {
				v.custody, v.departed = slices.Clone(w.jails[i].custody), slices.Clone(w.jails[i].released)
			}
		}
	}
}

// page returns a page of rows, counted from 0. A feed with the fault Duplicated has only first pages.
func page[T any](v *view, rows []T, from, count int) []T {
	if v.has(Duplicated) {
		from = 0
	}
	from = min(max(from, 0), len(rows))
	return rows[from:min(from+max(count, 0), len(rows))]
}
