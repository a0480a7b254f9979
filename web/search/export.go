package search

import (
	"fmt"
	"io"

	"rollcall/internal/watchlist"
	"rollcall/models"
	"rollcall/web/page"
	"rollcall/web/watch"
)

// mostExported bounds the bookings of one file, which is streamed in the order of the page.
const mostExported = 100_000

// exportBookings streams the bookings that the search finds.
func (s Site) exportBookings(v *page.Visit) error {
	a, err := read(v.R.URL.Query(), s.Pages.Now())
	if err != nil {
		return err
	}
	filter := a.bookings()
	if filter == nil {
		return models.Invalid("q", "this search finds no jail bookings, and a file holds nothing else; type a name or choose another status")
	}
	found, err := s.Store.ListBookings(v.R.Context(), *filter, models.Page{Limit: 1})
	if err != nil {
		return err
	}
	if found.Total > mostExported {
		return models.Invalid("q", fmt.Sprintf("the list has %d bookings, and a file can have %d at most; set a filter, such as the booking dates",
			found.Total, mostExported))
	}
	order, _ := orderOf(a.Sort)
	return watch.Site{Pages: s.Pages, Exports: s.Exports}.Export(v, "bookings.csv", func(to io.Writer) error {
		return watchlist.WriteBookings(to, func(see func(*models.Booking) error) error {
			return s.Store.EachBooking(v.R.Context(), *filter, order.by, see)
		})
	})
}
