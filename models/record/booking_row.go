package record

import (
	"time"

	"rollcall/models"
)

// bookingColumns are what is read of a booking, in the order of its places. A booking that is
// present at its source and did not change is not written again: last_seen may be older than the newest
// complete snapshot that shows it (LastSeenOf).
const bookingColumns = `b.rid, b.id, b.county_id, b.source_id, b.name, b.dob, b.birth_year, b.booked_at, b.released_at, b.release_inferred,
 b.release_after is not null as release_absent, b.charges, b.bond_cents, b.agency, b.status, b.has_photo, b.first_seen, b.last_seen, b.last_change`

// rosterTable reads bookings.
var rosterTable = records[models.Booking]{
	table: table{
		family: models.Roster, name: "published_bookings", reachable: "reachable_bookings", versions: "reachable_booking_versions",
		alias: "b", key: "rid", columns: bookingColumns,
	},
	keyOf: func(b *models.Booking) int64 { return b.RID },
	places: func(b *models.Booking, county func(**models.County) any) []any {
		return []any{
			&b.RID, &b.ID, county(&b.County), &b.SourceID, &b.Name, &b.Dob, &b.BirthYear, &b.BookingDate, &b.ReleaseDate, &b.ReleaseInferred,
			&b.ReleaseAbsent, &b.Charges, &b.BondCents, &b.Agency, &b.Status, &b.HasPhoto, &b.FirstSeen, &b.LastSeen, &b.LastChange,
		}
	},
	complete: func(b *models.Booking) {
		inZone(models.Georgia, &b.BookingDate, b.ReleaseDate)
		inZone(time.UTC, &b.FirstSeen, &b.LastSeen, &b.LastChange)
		b.BirthYear = birthYear(b.Dob, b.BirthYear)
	},
}
