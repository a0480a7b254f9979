package simulator

import (
	"iter"
	"time"

	"rollcall/internal/simulator/naming"
)

// meanStay is how long somebody stays in jail, on average.
const meanStay = 16 * 24 * time.Hour

// streamPast keeps the draws for stays before the founding apart.
const streamPast = 100

// Past yields the stays that ended within a time before the world was founded. There are as many as keep each jail as
// full as it was founded, by people who are not in the world any more. No source shows them: they are what an earlier
// system would have handed over. They have no numbers.
func (s *Simulator) Past(within time.Duration) iter.Seq[Booking] {
	return func(yield func(Booking) bool) {
		w := found(s.options, s.zone)
		names := naming.New()
		for index := range w.jails {
			j := w.jails[index]
			r := w.draw(streamPast, index)
			between := float64(meanStay) / float64(max(1, j.size))
			for at := w.at.Add(-within - 6*meanStay); at.Before(w.at); at = at.Add(time.Duration(r.ExpFloat64() * between)) {
				released := at.Add(time.Duration(r.ExpFloat64() * float64(meanStay)))
				if released.Before(w.at.Add(-within)) || released.After(w.at.Add(-time.Minute)) {
					continue // before all this, or still there: they are the ones that the world was founded with
				}
				w.people = append(w.people, newPerson(r, names, at, len(w.jails)))
				b := w.newBooking(index, len(w.people)-1, at.Truncate(time.Second), r)
				b.Number, b.Released, b.Changed = "", released.Truncate(time.Second), released
				if !yield(b) {
					return
				}
			}
		}
	}
}
