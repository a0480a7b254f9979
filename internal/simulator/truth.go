package simulator

import (
	"iter"
	"slices"
	"time"
)

// Link is a true pair: a booking and a corrections record of one person. Tests compare it with what the linker finds.
type Link struct {
	County, Number string
	Booking        Booking
	Offender       Offender
}

// CaseLink is a court case that came of a booking, with the corrections record of the same person if any.
type CaseLink struct {
	County, Court, CaseNumber string
	// Booking is the booking's number; GDC may be empty.
	Booking, GDC string
}

// InCustody returns who is in a county's jail now, in order of booking. An unknown county holds nobody.
func (s *Simulator) InCustody(county string) []Booking {
	return s.ofJail(county, func(j *jail) []Booking { return j.custody })
}

// Departed returns the last releases from a county's jail, oldest first.
func (s *Simulator) Departed(county string) []Booking {
	return s.ofJail(county, func(j *jail) []Booking { return j.released })
}

// ofJail returns a copy of a list of a county's jail as it is now.
func (s *Simulator) ofJail(county string, list func(*jail) []Booking) []Booking {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	for i := range s.world.jails {
		if s.world.jails[i].county == county {
			return slices.Clone(list(&s.world.jails[i]))
		}
	}
	return nil
}

// Offenders returns all corrections records.
func (s *Simulator) Offenders() []Offender {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return slices.Clone(s.world.offenders)
}

// Cases returns all court cases.
func (s *Simulator) Cases() []Case {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return slices.Clone(s.world.cases)
}

// Activity returns what happened to bookings lately, oldest first: some hundreds at most, and nothing from before the
// world was founded.
func (s *Simulator) Activity() []Activity {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return slices.Clone(s.world.activity)
}

// Foresee yields what will happen to bookings within a time from now, oldest first. It is exact, because the world
// depends on the clock alone: the demo watches for people who will soon be booked. The simulator is locked while a
// caller ranges over it, so the loop must not call its other methods.
func (s *Simulator) Foresee(within time.Duration) iter.Seq[Activity] {
	return func(yield func(Activity) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.catchUp()
		w, c, now := found(s.options, s.zone), cursor{}, s.options.Now()
		advance(w, s.timeline, &c, now)
		for {
			at, ok := s.timeline.next(&c, w, now.Add(within))
			if !ok {
				return
			}
			w.activity = nil
			w.happen(at.In(w.zone))
			for _, act := range w.activity {
				if !yield(act) {
					return
				}
			}
		}
	}
}

// Links returns every pair of a booking in custody and a corrections record of the same person. Whether a reader can
// know it depends on what the county's vendor shows of the birth date.
func (s *Simulator) Links() []Link {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	var links []Link
	for i := range s.world.jails {
		for _, b := range s.world.jails[i].custody {
			if o := s.world.people[b.Person].offender; o > 0 {
				links = append(links, Link{b.County, b.Number, b, s.world.offenders[o-1]})
			}
		}
	}
	return links
}

// CaseLinks returns every case that came of a booking.
func (s *Simulator) CaseLinks() []CaseLink {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	var links []CaseLink
	for _, c := range s.world.cases {
		if c.Booking == "" {
			continue
		}
		link := CaseLink{County: c.County, Court: c.Court, CaseNumber: c.Number, Booking: c.Booking}
		if o := s.world.people[c.Person].offender; o > 0 {
			link.GDC = s.world.offenders[o-1].GDC
		}
		links = append(links, link)
	}
	return links
}
