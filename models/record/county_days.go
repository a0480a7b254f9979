package record

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// weekDays is how many days a CountyWeek has: single days of a small jail have too few people for a median.
const weekDays = 7

// dayFacts are what one day adds to its week. They are read as lists, because a median of medians is no
// median.
type dayFacts struct {
	models.CountyDay
	// bonds are those of the people booked that day, in cents.
	bonds []int64
	// held is how long the people were held who were released that day, in seconds.
	held []float64
}

// countyDays reads n days from since on, each with the week that ends with it, in one statement. Days without
// a booking or release are among them.
func (s *Store) countyDays(ctx context.Context, county int16, since time.Time, n int) ([]models.CountyDay, error) {
	lead := weekDays - 1 // the first week began before the first day
	// The days are those of Georgia's calendar, also where a day has 23 or 25 hours.
	from := since.AddDate(0, 0, -lead)
	rows, err := s.Pool().Query(ctx, statements[models.Roster].Get("county_days"), pgx.NamedArgs{
		"county": county, "since": from, "first": from.Format(time.DateOnly), "days": n + lead,
	})
	if err != nil {
		return nil, err
	}
	facts, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (dayFacts, error) {
		var d dayFacts
		err := r.Scan(&d.Date, &d.Bookings, &d.Releases, &d.bonds, &d.held)
		return d, err
	})
	if err != nil {
		return nil, err
	}
	out := make([]models.CountyDay, 0, n)
	for i := lead; i < len(facts); i++ {
		day := facts[i].CountyDay
		day.Week = weekOf(facts[i-lead : i+1])
		out = append(out, day)
	}
	return out, nil
}

// weekOf returns the medians of a week; nil where nobody counts. The median of an even number is the mean of
// the middle two. Money stays in whole cents.
func weekOf(days []dayFacts) models.CountyWeek {
	var bonds []int64
	var held []float64
	for _, d := range days {
		bonds, held = append(bonds, d.bonds...), append(held, d.held...)
	}
	week := models.CountyWeek{WithBond: len(bonds), Released: len(held)}
	if len(bonds) > 0 {
		slices.Sort(bonds)
		m := (bonds[(len(bonds)-1)/2] + bonds[len(bonds)/2]) / 2
		week.MedianBondCents = &m
	}
	if len(held) > 0 {
		slices.Sort(held)
		m := time.Duration((held[(len(held)-1)/2] + held[len(held)/2]) / 2 * float64(time.Second))
		week.MedianHeld = &m
	}
	return week
}
