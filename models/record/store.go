// Package record reads what callers see of records: lists, details, links, when a source last showed them,
// history, how they were at an instant, rows of the list index, figures of counties and hearings of
// calendars.
//
// Resolvers of graph, and through them rest, call it for every request; package search reads IndexRows, and
// calendar CalendarOf. It reads views alone (published_bookings and the like), so nothing that is withheld
// leaves it (docs/decisions/0013-visibility.md). A list is answered from the list index in memory and the
// record cache where they are current, and from SQL otherwise, always with the same result.
//
// The three families have files of the same shape. To read one, begin with the roster:
//   - booking_list.go: the filter, the page by index or SQL, the booking by id;
//   - booking_row.go: the columns of a booking;
//   - table.go, records.go and list.go: what all families share: reads by key and lists, by GORM and by pgx;
//   - facet.go and index.go: the list index; memories.go: the record cache;
//   - history.go and asof.go: versions, and a record as it was at an instant.
//
// It is not for writing records: package claim does that. Values that it returns may be cached and shared, so
// nobody may change them.
package record

import (
	"context"
	"embed"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/internal/lru"
	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are the named statements of the families, for what a query of GORM does not say in a few lines.
var statements = func() map[models.Family]sqlfile.Set {
	all, out := sqlfile.Load(files), map[models.Family]sqlfile.Set{}
	for _, t := range tables {
		out[t.family] = all.With("{reachable}", t.reachable, "{versions}", t.versions, "{key}", t.key, "{family}", string(t.family))
	}
	return out
}()

// Store reads records. It is safe for concurrent use; UseIndex is called before that begins.
type Store struct {
	*db.DB
	// index answers lists, by family; a family without one is answered by SQL.
	index map[models.Family]models.ListIndex
	// kept caches records until their family changes.
	kept memories
	use  *lru.Use // of kept
}

// New returns a Store that caches up to keep bytes of records until they change (db.DB.View). With 0 each
// read asks the database.
func New(d *db.DB, keep int) *Store {
	use := new(lru.Use)
	return &Store{DB: d, index: map[models.Family]models.ListIndex{}, kept: newMemories(keep, use, d.View), use: use}
}

// RecordUse counts the records that were found in the record cache, and those that were read.
func (s *Store) RecordUse() *lru.Use { return s.use }

// rows is the GORM handle for one request. What GORM runs here reads rows by their keys; lists run by pgx (records).
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Keyed().WithContext(ctx) }

// find reads what a statement of a family finds into a slice of rows, by GORM.
func (s *Store) find(ctx context.Context, f models.Family, name string, args pgx.StrictNamedArgs, into any) error {
	return db.Raw(s.rows(ctx), statements[f], name, args).Scan(into).Error
}

// birthYear returns the year of a birth: its own, or that of the date. A source may report either.
func birthYear(dob *models.Date, year *int) *int {
	if year == nil && dob != nil {
		return &dob.Year
	}
	return year
}
