// Package reconcile brings the rows of a snapshot into the tables of records: it matches them with what is known, decides
// what changes, is released or must not be shown, and writes versions and changes, all in one transaction. Merges and
// reviews, by which operators do the same, are here too.
//
// It is not for reading records: package record does that.
package reconcile

import (
	"context"
	"time"

	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/db"
)

// Store writes records.
type Store struct {
	*db.DB
	claims   *claim.Store // of the families that are resolved from claims
	lastSeen func(ctx context.Context, f models.Family, keys []int64) (map[int64]time.Time, error)
}

// New makes a Store. lastSeen tells when a source last showed records of a family, by key.
func New(d *db.DB, lastSeen func(ctx context.Context, f models.Family, keys []int64) (map[int64]time.Time, error), claims *claim.Store) *Store {
	return &Store{DB: d, lastSeen: lastSeen, claims: claims}
}
