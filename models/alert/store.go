// Package alert keeps watchers and what they were told: matching in its transaction, hits, events, dismissals and how long
// all of it stays. It writes the deliveries of a match, so it imports package delivery.
//
// It is not for deciding whether a watcher matches, which package notifier does, nor for sending.
package alert

import "rollcall/models/db"

// Store reads and writes watchers, hits and events.
type Store struct {
	*db.DB
	maxWatchers int
	eventNews   eventNews
}

// New makes a Store that allows an account maxWatchers active watchers.
func New(d *db.DB, maxWatchers int) *Store { return &Store{DB: d, maxWatchers: maxWatchers} }
