// Package match compares names and people. It folds names for search, parses them, scores how likely two names are the
// same person's, keeps the standing queries of watchers, and links bookings to corrections records and court cases.
//
// A name as a source writes it becomes a Name by Parse: a small set of readings, each with its surnames, given names
// and suffix. Compare aligns the readings of two names part by part, and sums the evidence in nats into a calibrated
// probability. CompareWatched, Best, Linker and LinkCase add what is known of births, counties, offenses and of how
// many others might fit. Index and Linker find the few candidates that are worth comparing. docs/matching.md has the
// rules and the measured accuracy, MATCHING.md the goals.
//
// The package is pure: no context, no database, no clock, no network and no other package of rollcall outside of it.
// Packages that store, load or announce anything call it. Packages models and search use its folding, notifier and
// ingest its comparisons.
package match
