// Package source keeps what is known of sources and what they sent: their entries and freshness, holds, files that were
// taken, runs with their locks and reports, archives and quarantined rows, and how long raw data stay.
//
// It is not for records: it does not know what a row means.
package source

import "rollcall/models/db"

// Store reads and writes sources and runs.
type Store struct {
	*db.DB
	fresh freshnessCache
}

// New makes a Store.
func New(d *db.DB) *Store { return &Store{DB: d} }
