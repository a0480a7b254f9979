// Package claim takes the rows of snapshots into the tables: it keeps what each source claims of a record,
// attaches claims to records, and writes the records that they resolve to (package resolve). It is the only
// package that writes records and the only one that knows the tables of claims.
//
// A run stages its rows, compares them with the fingerprints of known claims, and takes only what is new,
// changed or absent out of the database; that is folded, resolved and written back in chunks, in one
// transaction. What an operator decides (a review, a merge, a rebuild) is the same without a snapshot:
// claims or decisions change, and the records concerned are resolved anew.
//
// This package is what others see: the Store, which hands snapshots to the families, and operators' actions. Below it,
// package engine is what the families share (a transaction, a run and its steps, claims read and written), and packages
// roster, court and offender are the families. Bookings and court cases follow each other: roster imports court, and court
// is given roster's function here.
package claim
