package resolve

import (
	"slices"
	"time"

	"rollcall/models"
)

// unscheduled is how often a source has newer data whose document does not say: its files are brought.
const unscheduled = 24 * time.Hour

// overruleIntervals is how many of its intervals a source must go on listing somebody whom another one
// released, before it is believed; as many complete snapshots must show it.
const overruleIntervals = 2

// silentIntervals is for how many of its intervals a list may say nothing while others go on, and still keep a booking open.
const silentIntervals = 2

// Custody is whether somebody is in jail.
type Custody struct {
	Released *time.Time // nil: in jail
	Inferred bool       // no source stated the release, or not its time
	After    *time.Time // of a release that absence shows: when anybody saw the person last
}

// Recount counts the complete snapshots of its source that lack a claim since the source last showed it. A copy of the snapshot
// before confirms nothing until Policy.CopiesAfter has passed, and one that an operator released needs no other. All of it
// follows from that instant and the list of snapshots, so these may come in any order, twice, or with others missing between them.
func (h *Head) Recount(seen time.Time) {
	h.Misses, h.MissingSince, h.Present = 0, nil, true
	if !h.Source.Lists {
		return
	}
	needed := max(1, h.Source.Confirmations)
	for _, s := range h.Source.completeAfter(seen) {
		if h.MissingSince == nil {
			h.MissingSince = &s.At
		}
		switch {
		case s.Released:
			h.Misses += needed
		case s.Confirms || s.At.Sub(*h.MissingSince) >= h.Source.CopiesAfter:
			h.Misses++
		}
	}
	h.Present = h.Misses < needed
	if h.Misses == 0 {
		h.MissingSince = nil
	}
}

// custodyOf resolves whether the person of a booking is in jail. A stated release holds, the newest one,
// until a source that lists everybody goes on to list the person. Else absence decides: the person is gone
// when every source that lists everybody lacks them.
func custodyOf(leads, all []*BookingClaim, booked time.Time) Custody {
	if by := stated(leads); by != nil && !overruled(by, leads) {
		return Custody{Released: by.Facts.Released, Inferred: by.Facts.Untimed}
	}
	return absent(leads, all, booked)
}

// stated is the lead claim whose word on the release is the newest; nil when that is that there is none. A
// source that never reported a release says nothing about it.
func stated(leads []*BookingClaim) *BookingClaim {
	telling := slices.DeleteFunc(slices.Clone(leads), func(c *BookingClaim) bool {
		_, took := c.noted(fieldRelease)
		return c.Facts.Released == nil && !took
	})
	_, by := Pick(telling, fieldRelease, func(f *BookingFacts) (*time.Time, bool) { return f.Released, true })
	if by == nil || by.Facts.Released == nil {
		return nil
	}
	return by
}

// overruled reports whether another source disproves a stated release: it lists everybody and still had the
// person when it had had newer data for two of its intervals, and in two complete snapshots. A list may
// lag, but not for ever. A release that was disproved stays so when the list lacks the person at last.
func overruled(by *BookingClaim, leads []*BookingClaim) bool {
	return slices.ContainsFunc(leads, func(c *BookingClaim) bool {
		p := c.Source
		if p.ID == by.Source.ID || !p.Lists || p.WindowDays > 0 || c.Facts.Released != nil {
			return false
		}
		from, last := newest(*by.Facts.Released, by.Of(fieldOut)).Add(overruleIntervals*p.interval()), c.LastSeen()
		listing := 0
		for _, s := range p.completeAfter(from) {
			if !s.At.After(last) {
				listing++
			}
		}
		return last.After(from) && listing >= overruleIntervals
	})
}

// interval is how often the source has newer data.
func (p *Policy) interval() time.Duration {
	if p.Interval > 0 {
		return p.Interval
	}
	return unscheduled
}

// completeAfter are the complete snapshots after an instant, oldest first.
func (p *Policy) completeAfter(at time.Time) []Complete {
	i := slices.IndexFunc(p.Complete, func(c Complete) bool { return c.At.After(at) })
	if i < 0 {
		return nil
	}
	return p.Complete[i:]
}

// absent resolves custody by which sources list the person. Of the sources that lack the person, the one that saw them last
// decides when they left: with its first complete snapshot after any source saw them. Where that source has no newer
// snapshot, the next one decides.
func absent(leads, all []*BookingClaim, booked time.Time) Custody {
	var gone []*BookingClaim
	for _, c := range leads {
		if c.Source.Lists && c.Source.Releases && !c.Present && !aged(c, booked) {
			gone = append(gone, c)
		}
	}
	if len(gone) == 0 {
		return Custody{}
	}
	slices.SortFunc(gone, func(a, b *BookingClaim) int { return b.SaidAt.Compare(a.SaidAt) })
	if slices.ContainsFunc(all, func(c *BookingClaim) bool { return holds(c, gone) }) {
		return Custody{}
	}
	var seen time.Time
	for _, c := range all {
		if c.Facts.Released == nil { // others list the person as released
			seen = newest(seen, c.Sighted())
		}
	}
	for _, c := range gone {
		if after := c.Source.completeAfter(seen); len(after) > 0 {
			at := newest(after[0].At, booked)
			return Custody{Released: &at, Inferred: true, After: &seen}
		}
	}
	return Custody{}
}

// aged reports whether the claim's absence only means that the booking left the window of its list by age.
func aged(c *BookingClaim, booked time.Time) bool {
	return c.Source.WindowDays > 0 && c.MissingSince != nil && booked.Before(WindowStart(*c.MissingSince, c.Source.WindowDays))
}

// WindowStart is when the window of so many days begins in a snapshot of an instant: with the first of as many
// days of the calendar, that of the snapshot among them. A publisher may count days or hours. A person
// who was booked before that may have left the list for age alone, whichever of the two it counts.
func WindowStart(at time.Time, days int) time.Time {
	y, m, d := at.In(models.Georgia).Date()
	return time.Date(y, m, d-(days-1), 0, 0, 0, 0, models.Georgia)
}

// holds reports whether a claim keeps a booking open that some sources lack: its source lists everybody, the
// newest snapshot has the person as being in jail, and it is not silent for two of its intervals while the others went on.
func holds(c *BookingClaim, gone []*BookingClaim) bool {
	if !c.Listed() || c.Facts.Released != nil || c.Source.LastComplete.IsZero() {
		return false
	}
	var last time.Time
	for _, g := range gone {
		last = newest(last, g.Source.LastComplete)
	}
	return c.LastSeen().After(last.Add(-silentIntervals * c.Source.interval()))
}

// disputed lists the claims that disagree with what their booking resolved to: they list somebody who is
// released, or lack somebody who is in jail. Nothing of them need change for the outcome to.
func disputed(leads []*BookingClaim, out Custody) (ids []ID) {
	for _, c := range leads {
		if c.Source.Lists && c.Source.Releases && c.Facts.Known() && (c.Present && c.Facts.Released == nil) != (out.Released == nil) {
			ids = append(ids, c.ID())
		}
	}
	return ids
}
