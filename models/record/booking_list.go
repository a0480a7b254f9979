package record

import (
	"context"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// bookingSeek is the position of a roster cursor: time and id of the last booking of the page. It names a
// place in the order, so a page begins there even if that booking is withheld by then.
type bookingSeek struct {
	At time.Time `json:"t"`
	ID string    `json:"i"`
}

// rosterQuery is a filter made ready: slug resolved, days converted to instants, name folded.
type rosterQuery struct {
	// filter is as the caller wrote it.
	filter models.RosterFilter
	// county is nil for all counties.
	county *models.County
	// words are the folded words of the name. A named query without words matches nothing.
	words []string
	named bool
	// from is inclusive and to exclusive; zero is open. A day ends where the next begins, so to_date is
	// inclusive by calendar and days of 23 and 25 hours are whole (DECISIONS.md, "Dates").
	from, to time.Time
	// details are what the list index does not know.
	details details
}

// rosterQuery checks and converts a filter. An unknown county, a time that ends before it begins and a name
// that is no text are models.Error.
func (s *Store) rosterQuery(f models.RosterFilter) (rosterQuery, error) {
	q := rosterQuery{filter: f}
	if f.County != nil && *f.County != "" {
		c, err := s.Counties().BySlug(*f.County)
		if err != nil {
			return q, err
		}
		q.county = c
	}
	if f.FromDate != nil && f.ToDate != nil && f.FromDate.After(*f.ToDate) {
		return q, models.Invalid("from_date", "%s must not be after %s", "from_date", "to_date")
	}
	if f.FromDate != nil {
		q.from = f.FromDate.In(models.Georgia)
	}
	if f.ToDate != nil {
		q.to = f.ToDate.Next().In(models.Georgia)
	}
	var err error
	if q.details, err = detailsOf(&f); err != nil {
		return q, err
	}
	q.words, q.named, err = db.NameWords(f.Name)
	return q, err
}

// ListBookings returns one page of the roster, newest booking first (booking_date, then id, both descending),
// with the exact total of the same snapshot. Two ways lead to the same result
// (docs/decisions/0003-list-index.md):
//   - from the list index, if it is loaded;
//   - by SQL otherwise: while the index loads, in a process without one, and for details and orders that it does not know.
//
// Filters and cursors out of range are models.Error. A county or name that matches nobody is an empty page.
func (s *Store) ListBookings(ctx context.Context, f models.RosterFilter, p models.Page) (*models.RosterPage, error) {
	q, err := s.rosterQuery(f)
	if err != nil {
		return nil, err
	}
	out := &models.RosterPage{County: f.County, Limit: p.Limit, Offset: p.Offset, Records: []*models.Booking{}}
	// A name that folds to nothing, such as "%", must not list everybody.
	if q.named && len(q.words) == 0 {
		return out, nil
	}
	if p, err = s.openOrder(models.Roster, p, q.named); err != nil {
		return nil, err
	}
	at, err := openSeek[bookingSeek](s, models.Roster, p)
	if err != nil {
		return nil, err
	}
	more, ok := false, false
	if !p.Order.ByColumn() && !f.Detailed() {
		out.Total, more, ok, err = s.indexed(ctx, models.Roster, q.index(p, at), func(keys []int64, gen int64) (_ int64, err error) {
			out.Records, gen, err = s.bookingsByKey(ctx, keys, gen)
			return gen, err
		})
	}
	if !ok && err == nil {
		out.Records, out.Total, more, err = s.bookingList(ctx, q, p, at).read(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	out.PageInfo.HasNextPage = more
	switch n := len(out.Records); {
	case n == 0:
	case p.Order != models.OrderOwn:
		out.PageInfo.End = s.sealOrder(models.Roster, p, n)
	default:
		last := out.Records[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(string(models.Roster), bookingSeek{At: last.BookingDate.UTC(), ID: last.ID})
		}
	}
	return out, nil
}

// index converts the query for the list index. Its order is the booking time in microseconds. A facet that is
// 0 does not narrow.
func (q *rosterQuery) index(p models.Page, at *bookingSeek) models.IndexQuery {
	iq := models.IndexQuery{
		Words: q.words, Since: since(q.filter.UpdatedSince), Offset: p.Offset, Limit: p.Limit,
		Closest: p.Order == models.OrderRelevance, Ahead: [3]int16{1: facet(rosterStatuses, models.Booked)},
	}
	if at != nil {
		iq.After = &models.IndexPlace{Order: at.At.UnixMicro(), Tie: at.ID}
	}
	if q.county != nil {
		iq.Facets[0] = q.county.ID
	}
	if q.filter.Status != nil {
		iq.Facets[1] = facet(rosterStatuses, *q.filter.Status)
	}
	if !q.from.IsZero() || !q.to.IsZero() {
		iq.From, iq.To = minOrder, maxOrder
		if !q.from.IsZero() {
			iq.From = q.from.UnixMicro()
		}
		if !q.to.IsZero() {
			iq.To = q.to.UnixMicro()
		}
	}
	return iq
}

// minOrder and maxOrder bound a time that is open on one side.
const (
	minOrder = -1 << 62
	maxOrder = 1 << 62
)

// bookingsByKey returns bookings in the order of keys and the generation of the roster that they are of,
// which is gen unless there is a newer one. A booking that is not published any more is left out, and then
// the generation differs.
func (s *Store) bookingsByKey(ctx context.Context, keys []int64, gen int64) ([]*models.Booking, int64, error) {
	found, gen, err := s.kept.bookings.ReadAt(ctx, keys, gen, rosterTable.loadPage(s))
	return db.InOrder(found, keys), gen, err
}

// BookingsByKeys returns published bookings by internal key; others are left out. The values are shared:
// callers must not change them.
func (s *Store) BookingsByKeys(ctx context.Context, keys []int64) (map[int64]*models.Booking, error) {
	return s.kept.bookings.Read(ctx, keys, rosterTable.load(s))
}

// bookingList is the page of a list in SQL. Without a name and updated_since the total comes from counters, so
// that a list of everything does not count a million rows.
func (s *Store) bookingList(ctx context.Context, q rosterQuery, p models.Page, at *bookingSeek) *list[models.Booking] {
	l := &list[models.Booking]{
		records: &rosterTable, carry: "b.booked_at, b.id", order: "b.booked_at desc, b.id desc", where: q.where, page: p, words: q.words,
		ahead: "b.status = 'booked'",
	}
	if by, sorted := bookingOrders[p.Order]; sorted {
		l.order, l.carry = by.order+", "+l.order, l.carry+by.carry
	}
	if !q.named && q.filter.UpdatedSince == nil && !q.filter.Detailed() {
		l.total = q.total(s.rows(ctx))
	}
	if at != nil {
		l.seek = &seek{"(b.booked_at, b.id) < (?, ?)", []any{at.At, at.ID}}
	}
	return l
}

// where narrows bookings to those that the filter selects. It must select what index selects:
// TestListsByIndexAndBySQLAreTheSame of package search compares the two.
func (q *rosterQuery) where(on *gorm.DB) *gorm.DB {
	if q.county != nil {
		on = on.Where("county_id = ?", q.county.ID)
	}
	if q.filter.Status != nil {
		on = on.Where("status = ?", *q.filter.Status)
	}
	if !q.from.IsZero() {
		on = on.Where("booked_at >= ?", q.from)
	}
	// Before the begin of the next day, not until 23:59:59: times have fractions.
	if !q.to.IsZero() {
		on = on.Where("booked_at < ?", q.to)
	}
	if q.filter.UpdatedSince != nil {
		on = on.Where("last_change >= ?", *q.filter.UpdatedSince)
	}
	if q.named {
		on = db.NameHasParts("name_key", q.words)(on)
	}
	return q.details.where(on)
}

// total reads the exact total from the counters, by county, status and day. County 0 is the row of
// all counties.
func (q *rosterQuery) total(on *gorm.DB) *gorm.DB {
	county, table := int16(0), "roster_totals"
	if q.county != nil {
		county = q.county.ID
	}
	if q.filter.FromDate != nil || q.filter.ToDate != nil {
		table = "roster_days"
	}
	on = on.Table(table).Select(countersSum).Where("county_id = ?", county)
	if q.filter.Status != nil {
		on = on.Where("status = ?", *q.filter.Status)
	}
	if q.filter.FromDate != nil {
		on = on.Where("day >= ?", *q.filter.FromDate)
	}
	if q.filter.ToDate != nil {
		on = on.Where("day <= ?", *q.filter.ToDate)
	}
	return on
}

// BookingByID returns the published booking with that id, or the one that it was merged into. Otherwise it is
// CodeNotFound, whether the id is unknown or withheld. The value is shared: callers must not change it.
func (s *Store) BookingByID(ctx context.Context, id string) (*models.Booking, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	read := rosterTable.named(s, "b.id", func(b *models.Booking) string { return b.ID }, s.BookingsByKeys)
	b, ok, err := s.kept.bookingIDs.One(ctx, id, read)
	if err == nil && !ok {
		err = models.NotFound("there is no roster record with this id")
	}
	return b, err
}
