package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// BookedPerson is who was booked: what a watcher is compared with.
type BookedPerson struct {
	RID       int64
	County    string // slug
	Name      string
	Dob       *Date
	BirthYear *int
	BookedAt  time.Time
}

// PeopleBookedSince gives those of the published bookings since then to see, one after another, newest
// booking first, without keeping them: a state's month is some tens of thousands. county narrows.
func (s *Store) PeopleBookedSince(ctx context.Context, since time.Time, county *County, see func(*BookedPerson)) error {
	var only *int16
	if county != nil {
		only = &county.ID
	}
	rows, err := s.pool.Query(ctx, `select b.rid, b.county_id, b.name, b.dob, b.birth_year, b.booked_at from bookings b
 where b.booked_at >= $1 and b.withheld is null and ($2::smallint is null or b.county_id = $2) order by b.booked_at desc, b.id desc`, since, only)
	if err != nil {
		return fmt.Errorf("read people booked: %w", err)
	}
	var (
		p    BookedPerson
		of   int16
		born *int16
	)
	_, err = pgx.ForEachRow(rows, []any{&p.RID, &of, &p.Name, &p.Dob, &born, &p.BookedAt}, func() error {
		p.County, p.BirthYear = s.counties.ByID(of).Slug, year(born)
		see(&p)
		p.Dob = nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("read people booked: %w", err)
	}
	return nil
}
