package record

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// Bounds of the days that county figures may cover.
const (
	defaultStatDays = 90
	minStatDays     = 7
	maxStatDays     = 731 // a year, and the year before it
)

// CountyStats returns the figures of a county (a slug) over the last days, 7 to 731, today included; nil is
// 90. An unknown county and another number of days are models.Error. Only published bookings count. Days
// before the first source of the county (ObservedSince) have few bookings or none, and so say little.
func (s *Store) CountyStats(ctx context.Context, slug string, days *int) (*models.CountyStats, error) {
	county, err := s.Counties().BySlug(slug)
	if err != nil {
		return nil, err
	}
	n := defaultStatDays
	if days != nil {
		n = *days
	}
	if n < minStatDays || n > maxStatDays {
		return nil, models.Invalid("days", fmt.Sprintf("days must be between %d and %d", minStatDays, maxStatDays))
	}
	today := s.Now().In(models.Georgia)
	// The first day begins at its midnight in Georgia, whatever the offset was then.
	since := time.Date(today.Year(), today.Month(), today.Day()-n+1, 0, 0, 0, 0, models.Georgia)
	out := &models.CountyStats{County: county}
	if err := s.countyNow(ctx, out, since); err != nil {
		return nil, fmt.Errorf("read figures of a county: %w", err)
	}
	if out.Days, err = s.countyDays(ctx, county.ID, since, n); err != nil {
		return nil, fmt.Errorf("read days of a county: %w", err)
	}
	// Backwards from the people who are held now: a person who came later was not there, one who left later was.
	at := out.Population
	for i := len(out.Days) - 1; i >= 0; i-- {
		out.Days[i].Population = max(0, at)
		at += out.Days[i].Releases - out.Days[i].Bookings
	}
	return out, nil
}

// countyNow reads the figures of the county at this moment, and those of the whole time since.
func (s *Store) countyNow(ctx context.Context, out *models.CountyStats, since time.Time) error {
	var now struct {
		ObservedSince        *time.Time
		Population, WithBond int
		MedianBondCents      *int64
		MedianSeconds        *float64
	}
	args := pgx.StrictNamedArgs{"county": out.County.ID, "since": since}
	if err := db.Raw(s.rows(ctx), statements[models.Roster], "county_now", args).Scan(&now).Error; err != nil {
		return err
	}
	out.ObservedSince, out.Population, out.WithBond, out.MedianBondCents = now.ObservedSince, now.Population, now.WithBond, now.MedianBondCents
	if now.MedianSeconds != nil {
		d := time.Duration(*now.MedianSeconds * float64(time.Second))
		out.MedianHeld = &d
	}
	return nil
}
