// Package engine is what the families of records share when a snapshot becomes records: one transaction (Session), one
// snapshot on its way through it (Run), and the statements that are alike for all families.
//
// Reconcile stages the rows of a snapshot, proves it, takes the family's lock, and runs the steps of the family between
// those of Frame. A family's steps take the rows that say something new (ChangedRows), load the claims that they touch
// (ClaimsByKey, ClaimsOf), fold and resolve them by package resolve, and write what became another (WriteClaims,
// WriteVersions). Rows that repeat what is known never leave the server.
//
// The package knows no family: each hands over its tables and statements as a Family. It decides nothing about a record
// either; package resolve does. Only package models/claim and the families below it may import it. A Session and a Run
// belong to one goroutine.
package engine
