package simulator

import (
	"math/rand/v2"
	"slices"
	"time"

	"rollcall/internal/simulator/naming"
)

// ActivityKind names what happened to a booking, in the words of the events that watchers get.
type ActivityKind string

// The kinds of activity.
const (
	Booked      ActivityKind = "booking"
	Released    ActivityKind = "release"
	BondChanged ActivityKind = "bond_change"
)

// Activity is one thing that happened to a booking.
type Activity struct {
	At   time.Time
	Kind ActivityKind
	// Number is the booking's, as Booking.Number. The simulator knows no ids of rollcall.
	County, Number string
	Name           naming.Name // as the jail has it
}

// note remembers an activity of the last few hundred.
func (w *world) note(kind ActivityKind, b *Booking) {
	if len(w.activity) >= 2*keptActivities {
		w.activity = slices.Clone(w.activity[keptActivities:])
	}
	w.activity = append(w.activity, Activity{w.at, kind, b.County, b.Number, b.Name})
}

// happen lets one thing happen at a time. Which one depends on the seed, the count of happenings and the state of the
// world, and on nothing else.
func (w *world) happen(at time.Time) {
	w.happenings++
	w.at = at
	r := w.draw(streamHappening, w.happenings)
	// Two in three happenings are bookings or releases. The rest are rarer, as in a real week.
	switch draw := r.IntN(100); {
	case draw < 68:
		w.comeOrGo(r)
	case draw < 84:
		w.changeBond(r)
	case draw < 88:
		w.fileLater(r)
	case draw < 92:
		w.addHearing(r)
	case draw < 94:
		w.strikeHearing(r)
	case draw < 97:
		w.decideCase(r)
	case draw < 98:
		w.freeOffender(r)
	default:
		w.admitOffender(r)
	}
}

// comeOrGo books or releases somebody, whichever brings the jails nearer to their usual size.
func (w *world) comeOrGo(r *rand.Rand) {
	held := 0
	for i := range w.jails {
		held += len(w.jails[i].custody)
	}
	tilt := 50 + 500*(w.size-held)/w.size
	if r.IntN(100) < tilt {
		w.admit(r)
		return
	}
	index, k, ok := w.someoneHeld(r)
	if ok {
		w.release(index, k)
	}
}

// admit books somebody who is free into the jail that is emptiest of three.
func (w *world) admit(r *rand.Rand) {
	index := r.IntN(len(w.jails))
	for range 2 {
		other := r.IntN(len(w.jails))
		if w.room(other) > w.room(index) {
			index = other
		}
	}
	who, ok := w.someoneFree(r, index)
	if !ok {
		return
	}
	b := w.newBooking(index, who, w.at.Truncate(time.Second), r)
	w.people[who].place = inJail
	w.jails[index].custody = append(w.jails[index].custody, b)
	w.note(Booked, &b)
}

// room is the part of a jail that stands empty, in thousandths; below 0 when crowded.
func (w *world) room(index int) int {
	j := &w.jails[index]
	return 1000 * (j.size - len(j.custody)) / j.size
}

// someoneHeld draws a jail and the place of a booking in its custody, each booking with the same chance.
func (w *world) someoneHeld(r *rand.Rand) (index, k int, ok bool) {
	held := 0
	for i := range w.jails {
		held += len(w.jails[i].custody)
	}
	if held == 0 {
		return 0, 0, false
	}
	k = r.IntN(held)
	for k >= len(w.jails[index].custody) {
		k -= len(w.jails[index].custody)
		index++
	}
	return index, k, true
}

// release ends a stay.
func (w *world) release(index, k int) {
	j := &w.jails[index]
	b := j.custody[k]
	j.custody = slices.Delete(j.custody, k, k+1)
	b.Released = w.at.Truncate(time.Second)
	// A source must never show a release before its booking.
	if earliest := b.Booked.Add(time.Second); b.Released.Before(earliest) {
		b.Released = earliest
	}
	b.Changed = b.Released
	p := &w.people[b.Person]
	p.place, p.left, p.leftJail = free, b.Released, index
	if len(j.released) >= keptReleases {
		j.released = j.released[1:]
	}
	j.released = append(j.released, b)
	w.note(Released, &b)
}

// changeBond sets, raises, lowers or denies the bond of a charge, so that the booking's total changes.
func (w *world) changeBond(r *rand.Rand) {
	index, k, ok := w.someoneHeld(r)
	if !ok {
		return
	}
	b := &w.jails[index].custody[k]
	charges := slices.Clone(b.Charges)
	bond := &charges[r.IntN(len(charges))].Bond
	cents, set := bond.Amount()
	switch draw := r.IntN(10); {
	case !set:
		*bond = Bond{BondSurety, int64(5+r.IntN(45)) * 10_000}
	case draw < 5 && cents >= 20_000:
		bond.Cents = cents / 2 / 5000 * 5000
	case draw < 9:
		bond.Cents = cents * 2
	default:
		*bond = Bond{Kind: NoBond}
	}
	b.Charges, b.Changed = charges, w.at
	w.note(BondChanged, b)
}
