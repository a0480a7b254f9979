package record

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// eachChunk is how many bookings one statement of EachBooking reads.
const eachChunk = 2000

// EachBooking passes the bookings that a filter selects to see, in an order of ListBookings, and ends with its error. It holds no
// more than eachChunk of them, and of another order than the list's own the keys of all. The chunks are not of one snapshot: a booking
// that is made or withheld meanwhile may be missing.
func (s *Store) EachBooking(ctx context.Context, f models.RosterFilter, o models.Order, see func(*models.Booking) error) error {
	q, err := s.rosterQuery(f)
	if err != nil || q.named && len(q.words) == 0 {
		return err
	}
	if o == models.OrderOwn || o == models.OrderRelevance && !q.named {
		return s.eachNewest(ctx, &q, see)
	}
	keys, _, err := s.bookingList(ctx, q, models.Page{Limit: math.MaxInt32, Order: o}, nil).pick(ctx, s, s.Pool())
	if err != nil {
		return fmt.Errorf("order bookings: %w", err)
	}
	for chunk := range slices.Chunk(keys, eachChunk) {
		found, _, err := rosterTable.find(rosterTable.published(ctx, s, s.Now()).Where("b.rid = any (?)", column.Array[int64](chunk)))
		if err != nil {
			return fmt.Errorf("read bookings: %w", err)
		}
		for _, b := range db.InOrder(db.ByKey(found, rosterTable.keyOf), chunk) {
			if err := see(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachNewest is EachBooking, newest booking first.
func (s *Store) eachNewest(ctx context.Context, q *rosterQuery, see func(*models.Booking) error) error {
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
