package models

import "time"

// CountyFlow is how many people a county booked and released within a time.
type CountyFlow struct {
	County           *County
	Booked, Released int
}

// CountyWeek are figures of the seven local days that end with one.
type CountyWeek struct {
	WithBond        int    // people booked in these days who have a bond, as it stands now
	MedianBondCents *int64 // of those; nil when there are none
	Released        int    // people released in these days, of whom it is known how long they were held
	MedianHeld      *time.Duration
}

// MedianBond is MedianBondCents in US dollars.
func (w CountyWeek) MedianBond() *float64 { return usd(w.MedianBondCents) }

// MedianHeldHours is the median time from booking to release, in hours; nil when nobody was released.
func (w CountyWeek) MedianHeldHours() *float64 { return inHours(w.MedianHeld) }

// CountyStats are figures of a county's jail, computed from the published bookings at the moment of reading.
type CountyStats struct {
	County          *County
	ObservedSince   *time.Time // when the first booking of the county was seen, or the first release that a takeover states; nil: none ever. What lies before is known only of people who were still there
	Population      int        // people held now
	MedianBondCents *int64     // of the people held now who have a bond; nil when none has
	WithBond        int        // how many those are
	MedianHeld      *time.Duration
	Days            []CountyDay // oldest first, without gaps, the last is today
}

// MedianBond is MedianBondCents in US dollars.
func (c *CountyStats) MedianBond() *float64 { return usd(c.MedianBondCents) }

// MedianHeldHours is the median time from booking to release, in hours, of the releases within the days.
func (c *CountyStats) MedianHeldHours() *float64 { return inHours(c.MedianHeld) }

func inHours(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	hours := d.Hours()
	return &hours
}

// CountyDay counts one local day.
type CountyDay struct {
	Date       Date
	Bookings   int
	Releases   int
	Population int // at the end of the day; today: now
	Week       CountyWeek
}

// Released is how many releases lie within the days.
func (c *CountyStats) Released() int {
	n := 0
	for _, d := range c.Days {
		n += d.Releases
	}
	return n
}
