// Package offender is the family of the corrections department's records: from the rows of its files to records, their
// history and their visibility. It is the smallest family, and the one to read first.
//
// Reconcile folds the rows into claims (offender.go), asks the key-turnover guard, notes absences, resolves the records
// concerned, asks the mass-change guard (resolve.go) and writes (write.go). Absence from a complete file hides a record; it
// never releases anybody, as the department's files say themselves who was released. A record of the department withholds no
// other record, and none withholds it.
//
// The rules are those of package resolve (Offender, FoldOffender). Only package models/claim imports this one.
package offender
