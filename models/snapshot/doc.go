// Package snapshot holds what package ingest hands to package models/claim: the rows of one reading of a source, whom
// they may say nothing about, how complete they are, what a run did to the records and what it would do.
//
// A run makes one Header, maps each row of its documents to a RosterRow, CourtRow or CorrectionsRow, and hands both to
// models/claim as a Reconciler. That stages the rows, asks the functions of the Reconciler whether the snapshot is to be
// believed, and returns Applied, or a HeldError where it is not.
//
// It holds types without rules and without SQL. What a row means for a record is decided in package resolve.
package snapshot
