// Package roster is the family of bookings: from the rows of a jail's roster to bookings, their history and their events.
//
// Reconcile folds the rows of known keys into their claims (known.go), recognises newcomers as bookings that others report
// or that the source reported under another key (match.go), asks the key-turnover guard (guard.go), notes absences (absent.go), resolves
// the bookings concerned (resolve.go), asks the mass-change guard, and writes (write.go, new.go). Then bookings of the same
// person follow those that are withheld (causes.go), court cases follow bookings, and watchers are notified of the net
// difference (events.go). Import does the same for bookings of another system, FollowCases for bookings that court cases
// concern, and Resolve for what an operator or a changed rule brings about.
//
// The rules are those of package resolve; this package finds what they need and writes what they say. Only package
// models/claim imports it.
package roster
