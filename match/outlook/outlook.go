package outlook

import (
	"math"
	"time"

	"rollcall/match"
)

// Days is how far an outlook looks back.
const Days = 365

// Booking is a booking of the days looked at.
type Booking struct {
	match.Booking
	// Written is the name as the jail wrote it.
	Written  string
	BookedAt time.Time
	// FirstSeen is since when the booking is known: the earliest of a county is since when its jail is read.
	FirstSeen time.Time
}

// Outlook looks at one booking after another. It is for one goroutine.
type Outlook struct {
	watched match.Watcher
	name    match.Name
	index   *match.Index
	now     time.Time
	known   *Known
	// When the hits of each county were booked.
	booked map[string][]time.Time
	sum    Summary
	hits   []hit
	found  []match.Hit
}

// hit is a booking that the watcher would have found.
type hit struct {
	Booking
	fit match.Fit
}

// compared is how many hits are kept to be compared with narrower watchers. A watcher that finds more has its hits
// counted, and by county, but not by birth or middle name.
const compared = 5000

// Summary is what an outlook found.
type Summary struct {
	// Same are bookings under the watched name itself, Varied those under another way of writing it.
	Same, Varied int
	// Days are how many days behind us are known in full, of the county that is known longest; Days at most. Of the time
	// before, only those bookings are known that the jail still listed when it was first read.
	Days int
	// Later are the counties that are known for fewer days, by a week or more.
	Later int
	// Yearly estimates the bookings of a whole year from the days that are known; nil where nothing need be estimated, or
	// where fewer than [leastDays] are known.
	Yearly *int
	// Narrowings are those that leave fewer, the fewest first.
	Narrowings []Narrowing
}

// Bookings returns how many were found.
func (s *Summary) Bookings() int { return s.Same + s.Varied }

const (
	day = 24 * time.Hour
	// leastDays is from how many days on a year may be estimated.
	leastDays = 30
	// apart is how many days one county is known less than another to be worth a word.
	apart = 7
)

// New returns the outlook of a watcher at a moment. Only bookings of the Days before now are to be passed to See.
func New(w match.Watcher, now time.Time) *Outlook {
	o := &Outlook{watched: w, name: match.ParseWatched(w.Name, w.County != ""), index: match.NewIndex(), now: now, known: NewKnown(now), booked: map[string][]time.Time{}}
	o.index.Add(w)
	return o
}

// See counts a booking. Those that do not match count for how long their county is known.
func (o *Outlook) See(b *Booking) {
	o.known.See(b.County, b.FirstSeen)
	if !o.matches(&b.Booking) {
		return
	}
	h := hit{*b, match.FitOf(&o.name, &b.Name)}
	if h.fit.Same {
		o.sum.Same++
	} else {
		o.sum.Varied++
	}
	o.booked[b.County] = append(o.booked[b.County], b.BookedAt)
	if len(o.hits) <= compared {
		o.hits = append(o.hits, h)
	}
}

// matches reports whether the watcher has an event of a booking: the names are alike enough, and the index of watchers,
// which the notifier asks, finds it. The comparison comes first because it is faster for a single watcher.
func (o *Outlook) matches(b *match.Booking) bool {
	if match.CompareWatched(&o.name, &b.Name, o.watched.Born, b.Born).Probability < o.watched.Level.From(&o.name) {
		return false
	}
	o.found, _ = o.index.Match(o.found[:0], b)
	return len(o.found) > 0
}

// Sum returns what was found. reach is how far back the bookings were read, where that is less than Days; else zero.
func (o *Outlook) Sum(reach time.Duration) Summary {
	s := o.sum
	s.Days, s.Later = o.known.Days(reach)
	yearly := 0.0
	for county, days := range o.known.counties(reach) {
		for _, at := range o.booked[county] {
			if o.now.Sub(at) <= time.Duration(days)*day {
				yearly += Days / float64(max(days, leastDays))
			}
		}
	}
	if s.Days >= leastDays && (s.Days < Days || s.Later > 0) {
		s.Yearly = new(int(math.Round(yearly)))
	}
	s.Narrowings = o.narrowings()
	return s
}
