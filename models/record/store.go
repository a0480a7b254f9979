// Package record reads what callers see of records: lists, details, links, when a source last showed them, history, how
// they were at an instant, rows of the list index, figures of counties and hearings of calendars.
//
// It is not for writing them: package claim does that. Nothing that is withheld leaves it.
package record

import (
	"context"
	"embed"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// statements are the named statements of the families. Loaders and details go through GORM, list pages and what is read of
// all records at once through pgx.
var statements = func() map[models.Family]sqlfile.Set {
	all, out := sqlfile.Load(files), map[models.Family]sqlfile.Set{}
	for _, t := range tables {
		out[t.family] = all.With("{reachable}", t.reachable, "{versions}", t.versions, "{key}", t.key, "{family}", string(t.family))
	}
	return out
}()

// Store reads records.
type Store struct {
	*db.DB
	index map[models.Family]models.ListIndex
	kept  memories
}

// New makes a Store that keeps up to keep bytes of records until they change (db.DB.View); with 0 each read asks the
// database.
func New(d *db.DB, keep int) *Store {
	return &Store{DB: d, index: map[models.Family]models.ListIndex{}, kept: newMemories(keep, d.View)}
}

// rows is the GORM handle of a request.
func (s *Store) rows(ctx context.Context) *gorm.DB { return s.Gorm().WithContext(ctx) }

// find reads what a statement of a family finds into a slice of rows, by GORM.
func (s *Store) find(ctx context.Context, f models.Family, name string, args pgx.StrictNamedArgs, into any) error {
	sql, values := statements[f].Bind(ctx, name, args)
	return s.rows(ctx).Raw(sql, values...).Scan(into).Error
}

// birthYear is the year of a birth of which the year alone may be known.
func birthYear(dob *models.Date, year *int) *int {
	if year == nil && dob != nil {
		return &dob.Year
	}
	return year
}
