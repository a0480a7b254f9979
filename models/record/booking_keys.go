package record

import (
	"context"
	"fmt"
	"time"

	"rollcall/models"
)

// peopleChunk is how many bookings one statement of PeopleBookedSince reads.
const peopleChunk = 5000

// PeopleBookedSince passes the published bookings since then to see, one after another, newest booking first, until
// see returns false.
// It holds no more than peopleChunk of them: a state's month is some tens of thousands. Previews of watchers
// match them. county narrows; nil is all. The chunks are not of one snapshot, so a booking that is made
// meanwhile may be missing.
func (s *Store) PeopleBookedSince(ctx context.Context, since time.Time, county *models.County, see func(*models.BookedPerson) bool) error {
	past, id := time.Time{}, ""
	for {
		q := s.rows(ctx).Table("published_bookings b").Select("b.rid, b.id, b.county_id, b.name, b.dob, b.birth_year, b.booked_at, "+
			"least(b.first_seen, case when b.imported then b.released_at end) as first_seen").
			Where("b.booked_at >= ?", since)
		if county != nil {
			q = q.Where("b.county_id = ?", county.ID)
		}
		if id != "" {
			q = q.Where("(b.booked_at, b.id) < (?, ?)", past, id)
		}
		var rows []models.Booking
		if err := q.Order("b.booked_at desc, b.id desc").Limit(peopleChunk).Scan(&rows).Error; err != nil {
			return fmt.Errorf("read people booked: %w", err)
		}
		for i := range rows {
			b := &rows[i]
			goesOn := see(&models.BookedPerson{
				RID: b.RID, County: b.County.Slug, Name: b.Name, Dob: b.Dob, BirthYear: b.BirthYear, BookedAt: b.BookingDate, FirstSeen: b.FirstSeen,
			})
			if !goesOn {
				return nil
			}
		}
		if len(rows) < peopleChunk {
			return nil
		}
		past, id = rows[len(rows)-1].BookingDate, rows[len(rows)-1].ID
	}
}
