// Package match compares names and people. It folds names for search, parses
// them, scores how likely two names are the same person's, keeps the standing
// queries of watchers, and links bookings to corrections records.
//
// It is pure: no context, no database, no clock, no network and no other room
// of the project. Whoever stores, loads or announces anything does it elsewhere.
package match
