package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/models"
)

// The model of the story: which records and which events must be there, from what is true and from which files were good. It
// knows the contract (DECISIONS.md, "Alerts") and nothing of the code.

// taken says what of a file has to be taken in. The zero value: all of it.
type taken struct {
	nothing    bool
	only       func(j *jail, at time.Time, i *inmate) bool // nil: every row
	noReleases bool                                        // it says nothing of releases
	noBonds    bool                                        // it says nothing of bonds
	returns    bool                                        // it is read again, after a release or by a replay
}

// known is what readers have to see of a stay.
type known struct {
	inmate   *inmate
	name     string
	released time.Time
	bond     *int
	charges  string
}

// model is what has to be known.
type model struct {
	jails  map[string]map[*inmate]*known
	events []string // since they were compared
}

func newModel() *model { return &model{jails: map[string]map[*inmate]*known{}} }

// newsWindow is how old a booking may be in the first file of a county, and in one that is read again, to be an event.
const newsWindow = 24 * time.Hour

// take takes in a file of a jail as of an instant, at another instant.
func (m *model) take(j *jail, of, now time.Time, t taken) {
	if t.nothing {
		return
	}
	people := m.jails[j.slug]
	since := time.Time{}
	if people == nil || t.returns {
		since = now.Add(-newsWindow)
	}
	if people == nil {
		people = map[*inmate]*known{}
		m.jails[j.slug] = people
	}
	for _, i := range j.listed(of) {
		if t.only != nil && !t.only(j, of, i) || i.juvenile() {
			continue
		}
		now := j.known(i, of)
		was := people[i]
		if t.noReleases {
			now.released = time.Time{}
			if was != nil {
				now.released = was.released
			}
		}
		if t.noBonds {
			now.bond = nil
			if was != nil {
				now.bond = was.bond
			}
		}
		people[i] = now
		m.tell(j, was, now, since)
	}
}

// known is what a file of an instant says of an inmate.
func (j *jail) known(i *inmate, at time.Time) *known {
	f := i.at(at)
	k := &known{inmate: i, name: i.name(at), released: i.out(at), charges: strings.Join(f.charges, "; ")}
	if f.bonds != nil {
		sum := 0
		for _, b := range f.bonds {
			sum += b
		}
		k.bond = &sum
	}
	return k
}

// tell notes the events of a stay.
func (m *model) tell(j *jail, was, now *known, since time.Time) {
	event := func(kind, more string) {
		m.events = append(m.events, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", j.slug, kind, now.inmate.last+", "+now.inmate.first, more)))
	}
	switch was {
	case nil:
		if !now.inmate.booked.Before(since) {
			event("booking", "")
		}
		if !now.released.IsZero() && !now.released.Before(since) {
			event("release", "")
		}
	default:
		if was.released.IsZero() && !now.released.IsZero() {
			event("release", "")
		}
		if cmp.Or(was.dollars(), "none") != cmp.Or(now.dollars(), "none") {
			event("bond_change", now.dollars())
		}
	}
}

// dollars writes the bond.
func (k *known) dollars() string {
	if k.bond == nil {
		return ""
	}
	return fmt.Sprintf("$%d", *k.bond)
}

// records are the stays that have to be known, a line each, in order.
func (m *model) records(jails []*jail) []string {
	var out []string
	for _, j := range jails {
		for _, k := range m.jails[j.slug] {
			born := k.inmate.born.Format(time.DateOnly)
			if j.years {
				born = born[:4]
			}
			out = append(out, recordLine(j.slug, k.name, born, k.inmate.booked, k.released, k.dollars(), k.charges))
		}
	}
	slices.Sort(out)
	return out
}

// recordLine writes a stay. The zero release is of somebody in jail.
func recordLine(county, name, born string, booked, released time.Time, bond, charges string) string {
	state := "in jail"
	if !released.IsZero() {
		state = "released " + released.In(models.Georgia).Format("01-02 15:04")
	}
	return fmt.Sprintf("%s: %s (%s) booked %s, %s, bond %s, %s", county, name, born, booked.In(models.Georgia).Format("01-02 15:04"), state, cmp.Or(bond, "none"), charges)
}

// differences lists what is missing from got, and what is there that should not be; empty: nothing.
func differences(want, got []string) string {
	left := map[string]int{}
	for _, line := range want {
		left[line]++
	}
	var out []string
	for _, line := range got {
		if left[line]--; left[line] < 0 {
			out = append(out, "extra:   "+line)
		}
	}
	for line, n := range left {
		for range max(n, 0) {
			out = append(out, "missing: "+line)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(a[9:], b[9:]) })
	return strings.Join(out, "\n")
}
