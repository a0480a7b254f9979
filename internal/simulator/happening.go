package simulator

import (
	"math/rand/v2"
	"slices"
	"time"
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
	At             time.Time
	Kind           ActivityKind
	County, Number string
	Name           Name
}

// note remembers an activity of the last few hundred.
func (w *world) note(kind ActivityKind, b *Booking) {
	if len(w.activity) >= 2*keptActivities {
		w.activity = slices.Clone(w.activity[keptActivities:])
	}
	w.activity = append(w.activity, Activity{w.at, kind, b.County, b.Number, b.Name})
}

// happen lets one thing happen at a time. Which one depends on the seed, the count of happenings and
// the state of the world, and on nothing else.
func (w *world) happen(at time.Time) {
	w.happenings++
	w.at = at
	r := w.draw(streamHappening, w.happenings)
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
	b.Released = later(b.Booked, time.Second, w.at.Truncate(time.Second))
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

// fileLater files a case for somebody held, unless the courts are full.
func (w *world) fileLater(r *rand.Rand) {
	for range 8 {
		index, k, ok := w.someoneHeld(r)
		if !ok || len(w.cases) > len(w.people) {
			return
		}
		if b := &w.jails[index].custody[k]; !b.cased && !b.Juvenile() {
			w.fileCase(b, w.at, r)
			return
		}
	}
}

// openCase draws a pending case with at least so many hearings.
func (w *world) openCase(r *rand.Rand, hearings int) *Case {
	for range 40 {
		if len(w.cases) == 0 {
			return nil
		}
		if c := &w.cases[r.IntN(len(w.cases))]; c.Disposed.IsZero() && len(c.Hearings) >= hearings {
			return c
		}
	}
	return nil
}

func (w *world) addHearing(r *rand.Rand) {
	c := w.openCase(r, 1)
	if c == nil || len(c.Hearings) > 5 {
		return
	}
	last := c.Hearings[len(c.Hearings)-1].Event
	for _, gone := range w.deleted {
		if gone.number == c.Number && gone.county == c.County {
			last = max(last, gone.event)
		}
	}
	c.Hearings = append(slices.Clip(c.Hearings), w.hearing(last+1, w.at, r))
	c.Changed = w.at
}

func (w *world) strikeHearing(r *rand.Rand) {
	c := w.openCase(r, 2)
	if c == nil {
		return
	}
	if len(w.deleted) >= keptDeletions {
		w.deleted = w.deleted[1:]
	}
	w.deleted = append(w.deleted, c.strike(w.at))
}

func (w *world) decideCase(r *rand.Rand) {
	if c := w.openCase(r, 1); c != nil {
		c.decide(w.at, r)
	}
}

// freeOffender paroles or discharges somebody from prison, or ends a parole.
func (w *world) freeOffender(r *rand.Rand) {
	for range 20 {
		if len(w.offenders) == 0 {
			return
		}
		o := &w.offenders[r.IntN(len(w.offenders))]
		if o.Location == Discharged || o.Sentences[0].Life() {
			continue
		}
		p := &w.people[o.Person]
		if o.Location == Incarcerated && r.IntN(2) == 0 {
			o.parole()
		} else {
			o.discharge(w.at)
		}
		if p.place == inPrison {
			p.place = free
		}
		o.Changed = w.at
		return
	}
}

// admitOffender takes somebody from a county jail to a state prison for the gravest of the charges.
func (w *world) admitOffender(r *rand.Rand) {
	for range 20 {
		index, k, ok := w.someoneHeld(r)
		if !ok {
			return
		}
		b := w.jails[index].custody[k]
		entry := gravest(b.Charges)
		if entry == nil || ageAt(b.Birth, w.at) < 18 {
			continue
		}
		w.release(index, k)
		w.commit(index, b.Person, entry, r)
		return
	}
}

// commit brings a person to prison, under the record that is there from an earlier time if there is one.
func (w *world) commit(index, who int, entry *offense, r *rand.Rand) {
	p := &w.people[who]
	p.place = inPrison
	if p.offender == 0 {
		o := w.newOffender(who, r)
		o.Sentences = []Sentence{w.newSentence(r, index, entry, 0)}
		o.Sentences[0].begin(w.at)
		w.offenders = append(w.offenders, o)
		p.offender = len(w.offenders)
		return
	}
	o := &w.offenders[p.offender-1]
	o.Location, o.Place, o.Cause, o.Changed = Incarcerated, prisons[r.IntN(len(prisons))], "PAROLE REVOKED", w.at
	again := w.newSentence(r, index, entry, len(o.Sentences))
	again.begin(w.at)
	o.Sentences = append(slices.Clip(o.Sentences), again)
}

// gravest is the offence among the charges that carries the longest prison sentence, or nil.
func gravest(charges []Charge) *offense {
	var worst *offense
	for _, charge := range charges {
		for i := range offenses {
			if entry := &offenses[i]; entry.text == charge.Description && entry.years > 0 && (worst == nil || entry.years > worst.years) {
				worst = entry
			}
		}
	}
	return worst
}
