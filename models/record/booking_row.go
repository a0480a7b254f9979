package record

import (
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// bookingColumns are what bookingRow scans, in order, and what GORM reads of a booking. A booking that is
// present at its source and did not change is not written again: last_seen may be older than the newest
// complete snapshot that shows it (LastSeenOf).
const bookingColumns = `b.rid, b.id, b.county_id, b.source_id, b.name, b.dob, b.birth_year, b.booked_at, b.released_at, b.release_inferred,
 b.charges, b.bond_cents, b.status, b.has_photo, b.first_seen, b.last_seen, b.last_change`

// bookingRow is a row of bookingColumns for pgx, which lists use; loaders scan the same columns into
// models.Booking by GORM. A test compares the two, so a column is added in both. Every field is nullable,
// because a page past the end has its total beside a row of nulls.
type bookingRow struct {
	rid                             *int64
	id, source, name, status        *string
	county, birthYear               *int16
	dob                             *models.Date
	booked, released                *time.Time
	firstSeen, lastSeen, lastChange *time.Time
	inferred, photo                 *bool
	charges                         []string
	bond                            *int64
}

// targets are the places for Scan, in the order of bookingColumns.
func (r *bookingRow) targets() []any {
	return []any{
		&r.rid, &r.id, &r.county, &r.source, &r.name, &r.dob, &r.birthYear, &r.booked, &r.released, &r.inferred,
		&r.charges, &r.bond, &r.status, &r.photo, &r.firstSeen, &r.lastSeen, &r.lastChange,
	}
}

// booking returns the record, or nil for a row of nulls. Civil times are in Georgia's zone, system times in
// UTC.
func (r *bookingRow) booking(c *models.Counties) *models.Booking {
	if r.rid == nil {
		return nil
	}
	b := &models.Booking{
		RID: *r.rid, ID: *r.id, County: c.ByID(*r.county), SourceID: *r.source, Name: *r.name, Dob: r.dob, BirthYear: birthYear(r.dob, db.Year(r.birthYear)),
		BookingDate: r.booked.In(models.Georgia), ReleaseInferred: *r.inferred, Charges: r.charges, BondCents: r.bond,
		Status: models.RosterStatus(*r.status), HasPhoto: *r.photo,
		FirstSeen: r.firstSeen.UTC(), LastSeen: r.lastSeen.UTC(), LastChange: r.lastChange.UTC(),
	}
	if r.released != nil {
		t := r.released.In(models.Georgia)
		b.ReleaseDate = &t
	}
	return b
}

// bookingAt is a booking and the generation that it is of, as GORM scans them.
type bookingAt struct {
	Gen int64
	models.Booking
}

// bookingsFrom reads the bookings that q finds by GORM, and the generation that they are of, if q reads it.
// Without a row the generation is db.AnyGeneration.
func bookingsFrom(q *gorm.DB) (found []*models.Booking, gen int64, err error) {
	var rows []*bookingAt
	if err := q.Scan(&rows).Error; err != nil {
		return nil, 0, err
	}
	// Without a row there is no generation, and such a result is not cached where generations count.
	gen = db.AnyGeneration
	found = make([]*models.Booking, len(rows))
	for i, r := range rows {
		r.BirthYear = birthYear(r.Dob, r.BirthYear)
		found[i], gen = &r.Booking, r.Gen
	}
	return found, gen, nil
}

// scanBookings reads rows of extra columns followed by bookingColumns, and closes rows.
func scanBookings(rows pgx.Rows, c *models.Counties, extra ...any) ([]*models.Booking, error) {
	defer rows.Close()
	var out []*models.Booking
	for rows.Next() {
		var r bookingRow
		if err := rows.Scan(append(append(make([]any, 0, len(extra)+17), extra...), r.targets()...)...); err != nil {
			return nil, err
		}
		if b := r.booking(c); b != nil {
			out = append(out, b)
		}
	}
	return out, rows.Err()
}
