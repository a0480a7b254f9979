package record

import (
	"context"
	"fmt"

	"rollcall/match"
	"rollcall/models"
)

// eachChunk is how many bookings one statement of EachBooking reads.
const eachChunk = 2000

// EachBooking passes the bookings that a filter selects to see, newest booking first, and ends with its error. It holds no
// more than eachChunk of them. The chunks are not of one snapshot: a booking that is made meanwhile may be missing.
func (s *Store) EachBooking(ctx context.Context, f models.RosterFilter, see func(*models.Booking) error) error {
	q, err := s.rosterQuery(f)
	if err != nil || q.named && len(q.words) == 0 {
		return err
	}
	var last *models.Booking
	for {
		on := q.where(rosterTable.published(ctx, s, s.Now())).Order("b.booked_at desc, b.id desc").Limit(eachChunk)
		if last != nil {
			on = on.Where("(b.booked_at, b.id) < (?, ?)", last.BookingDate, last.ID)
		}
		found, _, err := rosterTable.find(on)
		if err != nil {
			return fmt.Errorf("read bookings: %w", err)
		}
		for _, b := range found {
			if q.named && !match.Holds(match.SearchKey(b.Name), q.words) {
				continue
			}
			if err := see(b); err != nil {
				return err
			}
		}
		if len(found) < eachChunk {
			return nil
		}
		last = found[len(found)-1]
	}
}
