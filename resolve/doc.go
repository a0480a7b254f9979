// Package resolve decides what a record is from the claims attached to it.
//
// A claim is what one source says of a record under one of its keys. Tell folds rows into a claim, a
// family's function (Booking, Offender; court.Resolve) resolves the claims of a record into its facts, Decide
// decides whether it may be published, and Diff lists what changed. All of it is pure: the package knows
// no SQL, no clock and no input or output, and reads from the top. Which claims belong to a record is
// identity, which package models/claim stores; it is history and never recomputed here.
//
// Bookings and the department's records are resolved here, court cases in package resolve/court.
package resolve
