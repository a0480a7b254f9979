package web

import (
	"fmt"
	"io"

	"rollcall/internal/watchlist"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/watch"
)

// mostExported bounds the bookings of one file, which is streamed newest booking first.
const mostExported = 100_000

// exportBookings streams the bookings that the search finds.
func (s *Site) exportBookings(v *page.Visit) error {
	a, err := askedOf(v.R.URL.Query(), s.Now())
	if err != nil {
		return err
	}
	found, err := s.Store.ListBookings(v.R.Context(), a.filter, models.Page{Limit: 1})
	if err != nil {
		return err
	}
	if found.Total > mostExported {
		return models.Invalid("q", fmt.Sprintf("the list has %d bookings and a file at most %d; set a filter, such as the days of booking", found.Total, mostExported))
	}
	return watch.Site{Pages: s.Pages, Exports: s.exports}.Export(v, "bookings.csv", func(to io.Writer) error {
		return watchlist.WriteBookings(to, func(see func(*models.Booking) error) error {
			return s.Store.EachBooking(v.R.Context(), a.filter, see)
		})
	})
}
