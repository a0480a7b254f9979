package watchlist

import (
	"io"
	"strings"

	"rollcall/models"
)

// bookingTitles are the columns of a list of bookings. It is for people and spreadsheets; nothing reads it back.
var bookingTitles = []string{"record_id", "name", "dob", "birth_year", "county", "booked_at", "released_at", "release", "status", "bond", "charges", "agency"}

// WriteBookings writes the bookings that each passes.
func WriteBookings(to io.Writer, each func(see func(*models.Booking) error) error) error {
	return table(to, bookingTitles, each, func(b *models.Booking) []string {
		released, basis, bond := "", "", ""
		if r := b.Release(); r != nil {
			released, basis = stated(r.At), string(r.Basis)
		}
		if b.BondCents != nil {
			bond = models.Cents(*b.BondCents).Decimal()
		}
		return []string{
			b.ID, b.Name, day(b.Dob), number(b.BirthYear), slug(b.County), stated(b.BookingDate), released, basis,
			string(b.Status), bond, strings.Join(b.Charges, "; "), models.EmptyIfNil(b.Agency),
		}
	})
}
