// Package lookback reads the bookings of a year for the preview of a watcher, and passes them to package match/outlook,
// which has the rules. Looks take turns (internal/turn), and each ends
// after some seconds with what it has seen.
package lookback
