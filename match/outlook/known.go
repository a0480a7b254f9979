package outlook

import "time"

// Known is of how many days bookings are known, county by county: a jail tells of nobody who left before it was first
// read. It is for one goroutine.
type Known struct {
	now   time.Time
	since map[string]time.Time
}

// NewKnown returns one that has seen nothing, at a moment.
func NewKnown(now time.Time) *Known { return &Known{now: now, since: map[string]time.Time{}} }

// See notes since when a booking of a county is known. The earliest of a county is since when its jail is read.
func (k *Known) See(county string, firstSeen time.Time) {
	if since, seen := k.since[county]; !seen || firstSeen.Before(since) {
		k.since[county] = firstSeen
	}
}

// Days returns of how many days behind us bookings are known in full, of the county that is known longest, and how many
// counties are known for fewer days, by a week or more. reach is how far back bookings were read, where that is less than
// Days; else zero.
func (k *Known) Days(reach time.Duration) (days, later int) {
	of := k.counties(reach)
	for _, n := range of {
		days = max(days, n)
	}
	for _, n := range of {
		if n <= days-apart {
			later++
		}
	}
	return days, later
}

// counties returns the days of each county.
func (k *Known) counties(reach time.Duration) map[string]int {
	most := Days
	if reach > 0 {
		most = min(Days, int(reach/day))
	}
	of := make(map[string]int, len(k.since))
	for county, since := range k.since {
		of[county] = min(max(int(k.now.Sub(since)/day), 0), most)
	}
	return of
}
