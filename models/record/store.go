// Package record reads what callers see of records: lists, details, links, when a source last showed them, history, how
// they were at an instant, rows of the list index, figures of counties and hearings of calendars.
//
// It is not for writing them: package reconcile does that. Nothing that is withheld leaves it.
package record

import (
	"rollcall/models"
	"rollcall/models/db"
)

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
