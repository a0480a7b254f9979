// Package court is the family of court cases: from the rows of a court's source to cases with their hearings, charges and
// dispositions, and their history.
//
// A row reports a case of one party, or only parts of it, or that a hearing was taken back. Reconcile folds the rows of a key
// into its claim (fold.go). A claim finds its case by county, court, number and party, or makes it; parts that come before
// their case wait as a claim without a record (attach.go). Then the cases concerned are resolved (resolve.go) and written
// (write.go).
//
// Cases and bookings follow each other. A case that names a booking withheld as a juvenile's is withheld with it (cause.go,
// FollowBookings). The other direction is package roster's, which this package does not import: Reconcile is given its
// function. The rules are those of package resolve/court. Only package models/claim and those below it import this one.
package court
