package simulator

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"rollcall/internal/simulator/naming"
)

// The streams keep the draws for different purposes apart, so that a change of one does not move the others.
const (
	streamPerson = iota + 1
	streamOffender
	streamJail
	streamBooking
	streamCase
	streamHappening
	streamTime
)

// jail is one county's jail.
type jail struct {
	county, shape string
	// size is how many people it holds when all is usual.
	size int
	// custody is in order of booking; released holds the last keptReleases, oldest first.
	custody, released []Booking
	// sequence is the last booking number given.
	sequence int
}

const (
	// The lists of what is over are bounded, so that a demo that runs for weeks stays small.
	keptReleases   = 120
	keptDeletions  = 1000
	keptActivities = 400
)

// world is everything that is true at one time. It is not safe for concurrent use.
type world struct {
	seed      uint64
	zone      *time.Location
	book      book
	at        time.Time
	people    []person
	jails     []jail
	offenders []Offender
	cases     []Case
	deleted   []deletion
	activity  []Activity
	// docket is the last case number given, happenings how many have happened, size the people in all jails when all is
	// usual.
	docket, happenings, size int
}

// draw opens a stream of chance that depends on the seed, the purpose and n only.
func (w *world) draw(stream uint64, n int) *rand.Rand {
	return rand.New(rand.NewPCG(w.seed^stream<<56, uint64(n)*0x9E3779B97F4A7C15+stream)) //nolint:gosec // a world that can be repeated is the purpose
}

// found makes the world of the options at the time of its founding.
func found(o Options, zone *time.Location) *world {
	w := &world{seed: o.Seed, zone: zone, book: newBook(), at: o.Founded.In(zone)}
	for i, roster := range o.Rosters {
		r := w.draw(streamJail, i)
		w.jails = append(w.jails, jail{county: roster.County, shape: roster.Shape, size: 60 + r.IntN(100), sequence: 1000 + r.IntN(9000)})
		w.size += w.jails[i].size
	}
	for i := range w.jails {
		w.jails[i].size = max(3, w.jails[i].size*o.People*2/5/w.size)
	}
	w.size = 0
	names := naming.New()
	for i := range o.People {
		w.people = append(w.people, newPerson(w.draw(streamPerson, i), names, w.at, len(w.jails)))
	}
	for i := range w.people {
		// Two in five of the adults from 19 on have a corrections record, so that links are common.
		if ageAt(w.people[i].birth, w.at) >= 19 && i%5 < 2 {
			w.foundOffender(i)
		}
	}
	var gone []int
	for i := range w.jails {
		gone = append(gone, w.fill(i)...)
	}
	for _, who := range gone {
		w.people[who].place = free
	}
	w.foundCases()
	return w
}

// fill puts people into a jail who came over the past weeks, and a few who have left it again. It returns the latter:
// they must not be booked elsewhere for the same days.
func (w *world) fill(index int) (gone []int) {
	j := &w.jails[index]
	w.size += j.size
	left := min(j.size/3, keptReleases)
	r := w.draw(streamJail, index+1_000_000)
	times := make([]time.Time, j.size+left)
	for i := range times {
		back := time.Duration(r.ExpFloat64() * 16 * 24 * float64(time.Hour))
		times[i] = w.at.Add(-time.Minute - min(back, 400*24*time.Hour)).Truncate(time.Second)
	}
	slices.SortFunc(times, time.Time.Compare)
	for i, at := range times {
		who, ok := w.someoneFree(r, index)
		if !ok {
			return gone
		}
		b := w.newBooking(index, who, at, w.draw(streamBooking, index*1_000_000+i))
		w.people[who].place = inJail
		if i%4 == 3 && left > 0 {
			left--
			stay := w.at.Sub(at)
			b.Released = at.Add(time.Duration(float64(stay) * (0.3 + 0.7*r.Float64()))).Truncate(time.Second)
			b.Changed = b.Released
			j.released = append(j.released, b)
			w.people[who].left, w.people[who].leftJail = b.Released, index
			gone = append(gone, who)
			continue
		}
		j.custody = append(j.custody, b)
	}
	slices.SortStableFunc(j.released, func(a, b Booking) int { return a.Released.Compare(b.Released) })
	return gone
}

// someoneFree finds a person at liberty, four times in five one of the county. Nobody comes back to the same jail
// within a day as long as there are others. A vendor that shows only the date of a booking could not tell the two
// apart.
func (w *world) someoneFree(r *rand.Rand, home int) (int, bool) {
	near := r.IntN(5) > 0
	for try := range 400 {
		who := r.IntN(len(w.people))
		p := &w.people[who]
		again := p.leftJail == home && w.at.Sub(p.left) < 24*time.Hour
		if p.place == free && (try > 100 || !again && (p.home == home || !near)) {
			return who, true
		}
	}
	return 0, false
}

// newBooking books a person into a jail. The caller keeps it and moves the person.
func (w *world) newBooking(index, who int, at time.Time, r *rand.Rand) Booking {
	j, p := &w.jails[index], w.people[who]
	j.sequence++
	mark := r.Uint64()
	county := CountyName(j.county)
	b := Booking{
		Number: bookingNumber(j.shape, at.In(w.zone).Year(), j.sequence), County: j.county, Person: who, Name: p.name.Booked(mark), Birth: p.birth,
		Sex: p.sex, Race: p.race, Address: fmt.Sprintf("%s, %s GA", p.address, county),
		Agency: [...]string{county + " County Sheriff's Office", county + " Police Department", "Georgia State Patrol"}[min(r.IntN(4), 2)],
		Cell:   fmt.Sprintf("%c-%d%02d", "ABCDE"[r.IntN(5)], 1+r.IntN(2), 1+r.IntN(24)),
		Booked: at, Changed: at, mark: mark, Photograph: photographOf(j.shape, mark),
	}
	for range min(1+int(r.ExpFloat64()*1.1), 6) {
		entry := w.book.draw(r)
		b.Charges = append(b.Charges, Charge{
			Statute: entry.statute, Description: entry.text, Grade: entry.grade, Bond: entry.bond(r),
			Warrant: fmt.Sprintf("%02dW%06d", at.Year()%100, r.IntN(1_000_000)),
		})
	}
	return b
}

// bookingNumber writes a jail's number as its vendor does.
func bookingNumber(shape string, year, sequence int) string {
	switch shape {
	case ShapeNewWorld, ShapeDocket:
		return fmt.Sprintf("%d-%08d", year, sequence)
	case ShapeCitizen:
		return fmt.Sprintf("%d%08d", year, sequence)
	case ShapeRosterXML:
		return fmt.Sprintf("B%02d-%05d", year%100, sequence)
	}
	return fmt.Sprintf("%07d", year%100*100_000+sequence)
}

// foundCases files what the courts already have: two in five bookings, and most prison sentences.
func (w *world) foundCases() {
	for i := range w.jails {
		j := &w.jails[i]
		for k := range j.custody {
			b := &j.custody[k]
			r := w.draw(streamCase, i*1_000_000+k)
			if r.IntN(5) < 2 && !b.Juvenile() {
				w.fileCase(b, later(b.Booked, time.Hour*time.Duration(12+r.IntN(200)), w.at), r)
			}
		}
	}
	for i, o := range w.offenders {
		for k, s := range o.Sentences {
			if r := w.draw(streamCase, -1-i*8-k); r.IntN(10) < 7 {
				w.oldCase(o, s, r)
			}
		}
	}
	slices.SortStableFunc(w.cases, func(a, b Case) int {
		return cmp.Or(a.Filed.Compare(b.Filed), cmp.Compare(a.Number, b.Number))
	})
}

// later adds to a time without passing the end.
func later(at time.Time, by time.Duration, end time.Time) time.Time {
	if at = at.Add(by); at.After(end) {
		return end
	}
	return at
}
