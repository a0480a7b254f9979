package court

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"rollcall/models/snapshot"
)

// Hearing is one event on a case's calendar.
type Hearing struct {
	// ID is the name under which the hearing was known first: the court's number, or day and time. It stays the same while
	// more becomes known of the hearing, in the history, in calendars and in the tables.
	ID string
	// SaidAt is the newest instant at which it was reported.
	SaidAt time.Time
	snapshot.HearingFacts
}

// calendar is all that the claims of one case say of its hearings, under the names that the courts give them: their numbers,
// or day and time.
type calendar struct {
	byEvent map[string]*heard
	// into leads from a name to the later name of the same hearing.
	into map[string]string
}

// heard is one name of a hearing, with what the claims say under it.
type heard struct {
	Part[snapshot.HearingFacts]
	// rank is that of the first claim that reports it (rankCases).
	rank int
	// by is the claim that reports it as it is.
	by *Claim
	// stands reports whether a claim still reports it, and no removal took it back.
	stands bool
}

// calendarOf gathers what the claims of a case, in their rank, and those of every party behind them say of hearings. The hearings
// of a takeover end where a source first reports all hearings of the case.
func calendarOf(claims []*Claim) *calendar {
	k := &calendar{byEvent: map[string]*heard{}, into: map[string]string{}}
	removed := removals(claims)
	replaced := replacedImport(claims)
	for rank, c := range claims {
		for _, p := range c.Facts.Hearings.Parts {
			if p.Said == (Moment{}) {
				continue
			}
			stands := p.Stands() && !removed[p.Key].After(p.Said)
			if removed[p.Key].After(p.Gone) {
				p.Gone = removed[p.Key]
			}
			if c.Source.Import {
				p = forever(p)
				stands = stands && replaced == Moment{}
				p.Gone = replaced
			}
			k.add(&heard{Part: p, rank: rank, by: c, stands: stands})
		}
	}
	for event := range k.byEvent {
		if later := k.laterName(event); later != "" {
			k.into[event] = later
		}
	}
	return k
}

// removals returns when each hearing was last taken back, by any source, for this party or for all.
func removals(claims []*Claim) map[string]Moment {
	out := map[string]Moment{}
	for _, c := range claims {
		for _, p := range c.Facts.Hearings.Parts {
			if p.Removed.After(out[p.Key]) {
				out[p.Key] = p.Removed
			}
		}
	}
	return out
}

// replacedImport returns when a source last reported all hearings of the case; zero: only a takeover knows them.
func replacedImport(claims []*Claim) (at Moment) {
	for _, c := range claims {
		if !c.Source.Import && c.Facts.Hearings.All.After(at) {
			at = c.Facts.Hearings.All
		}
	}
	return at
}

// forever returns a part of a takeover as if it had been reported since for ever: every source knows better.
func forever(p Part[snapshot.HearingFacts]) Part[snapshot.HearingFacts] {
	begin := Moment{Line: 1}
	p.Said, p.First, p.Since = begin, begin, begin.At
	return p
}

// add takes in what one claim says. A hearing that any claim still reports stands; of several, the one counts whose source
// has reported it as it is since the latest.
func (k *calendar) add(h *heard) {
	was := k.byEvent[h.Key]
	if was == nil {
		k.byEvent[h.Key] = h
		return
	}
	winner, other := was, h
	newer := h.Since.After(was.Since)
	if together(h.by, was.by) {
		newer = h.Said.After(was.Said)
	}
	if h.stands && !was.stands || h.stands == was.stands && newer {
		winner, other = h, was
	}
	merged := *winner
	if other.stands == winner.stands {
		merged.rank = min(was.rank, h.rank)
	}
	if other.Said.After(merged.Said) {
		merged.Said = other.Said
	}
	if merged.First.After(other.First) {
		merged.First, merged.Was = other.First, other.Was
	}
	if other.Gone.After(merged.Gone) {
		merged.Gone = other.Gone
	}
	k.byEvent[h.Key] = &merged
}

// laterName returns the name under which a hearing that was known by its day and time, or by its day alone, became known
// later: the court's number, or the time that it got. It is empty where there is none, and where two came at once, so that
// nobody knows which.
func (k *calendar) laterName(event string) string {
	h := k.byEvent[event]
	if event != dayAndTime(&h.Facts) {
		return ""
	}
	day := h.Facts.Date.String()
	untimed := event == day+"T" || event == day+"T00:00"
	var found []*heard
	for _, o := range k.byEvent {
		numbered := o.Was == event && o.Key != event
		timed := untimed && o.Facts.Time != "00:00" && o.Facts.Time != "" && o.Key == day+"T"+o.Facts.Time
		if (numbered || timed) && h.until(o) {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.SortFunc(found, func(a, b *heard) int {
		return cmp.Or(a.First.At.Compare(b.First.At), cmp.Compare(a.Key, b.Key))
	})
	if len(found) > 1 && found[1].First.At.Equal(found[0].First.At) {
		return ""
	}
	return found[0].Key
}

// until reports whether h was on the calendar until o came, and is not reported beside it.
func (h *heard) until(o *heard) bool {
	return h.Said.At.Before(o.First.At) && (h.stands || !h.Gone.At.Before(o.First.At))
}

// known returns the name under which a hearing is known now, over any number of later names.
func (k *calendar) known(event string) string {
	for range len(k.into) {
		next, ok := k.into[event]
		if !ok {
			break
		}
		event = next
	}
	return event
}

// standing lists the hearings that stand, in the order of their beginning. before holds the hearings that the record had,
// whose ids are kept.
func (k *calendar) standing(before []Hearing) []Hearing {
	names := map[string][]string{}
	for event := range k.byEvent {
		names[k.known(event)] = append(names[k.known(event)], event)
	}
	var out []Hearing
	for event, all := range names {
		if h := k.byEvent[event]; h.stands && !k.repeated(h, names) {
			out = append(out, Hearing{ID: k.id(event, all, before), SaidAt: h.Said.At, HearingFacts: h.Facts})
		}
	}
	slices.SortFunc(out, func(a, b Hearing) int { return cmp.Or(a.StartsAt.Compare(b.StartsAt), strings.Compare(a.ID, b.ID)) })
	return out
}

// repeated reports whether a claim that goes before those of h has a hearing at the same time: two numbers
// of one case at one time are one hearing.
func (k *calendar) repeated(h *heard, names map[string][]string) bool {
	for event := range names {
		if o := k.byEvent[event]; o.stands && o.rank < h.rank && o.Facts.StartsAt.Equal(h.Facts.StartsAt) {
			return true
		}
	}
	return false
}

// id returns the name that the record has for a hearing already, else the oldest one. A hearing that got a new id would be
// removed and added in calendars and in the history.
func (k *calendar) id(event string, names []string, before []Hearing) string {
	slices.SortFunc(names, func(a, b string) int {
		x, y := k.byEvent[a], k.byEvent[b]
		return cmp.Or(x.First.At.Compare(y.First.At), cmp.Compare(x.First.Line, y.First.Line), strings.Compare(a, b))
	})
	for _, name := range append([]string{event}, names...) {
		if slices.ContainsFunc(before, func(h Hearing) bool { return h.ID == name }) {
			return name
		}
	}
	return names[0]
}

// judge returns the judge of the newest hearing that names one, and when that was last reported. Hearings that were taken
// back count where no other names one.
func (k *calendar) judge() (name string, said Moment) {
	var newest *heard
	for _, event := range slices.Sorted(maps.Keys(k.byEvent)) {
		h := k.byEvent[event]
		if h.Facts.Judge == "" {
			continue
		}
		if newest == nil || h.stands && !newest.stands || h.stands == newest.stands && h.Facts.StartsAt.After(newest.Facts.StartsAt) {
			newest = h
		}
	}
	if newest == nil {
		return "", Moment{}
	}
	return newest.Facts.Judge, newest.Said
}
