// Package link reads what linking compares, writes the links that it finds, and keeps what operators decided of them.
//
// It is not for comparing people, which package match does, nor for showing links, which package record does.
package link

import "rollcall/models/db"

// Store reads and writes links between records.
type Store struct{ *db.DB }

// New makes a Store.
func New(d *db.DB) *Store { return &Store{DB: d} }
