// Package delivery keeps webhooks, their secrets and health, and the deliveries to them, whose rows are their own queue
// (docs/decisions/0005-delivery-queue.md).
//
// It is not for sending, which package notifier does.
package delivery

import "rollcall/models/db"

// Store reads and writes webhooks and deliveries.
type Store struct{ *db.DB }

// New makes a Store.
func New(d *db.DB) *Store { return &Store{DB: d} }
