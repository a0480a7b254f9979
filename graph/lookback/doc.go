// Package lookback reads the bookings of a year for the preview of a watcher, and passes them to package match/outlook,
// which has the rules. It bounds what that costs: an account has one look at a time, a process a few, and each ends after
// some seconds with what it has seen.
package lookback
