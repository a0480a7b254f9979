package models

import "time"

// RecordChange is one change of a published fact of a record, as callers may see it.
type RecordChange struct {
	At       time.Time // UTC, when the run began that brought it
	SourceID string    // who said so
	Field    string    // as GraphQL calls it
	Before   *string   // as GraphQL writes it; nil: not known or not set
	After    *string
	// MergedFrom is the id that it was told of, where that record was merged into this one later; nil: this record's own.
	MergedFrom *string
}

// FactVersion is a row of record_changes: a fact as it was before and after a run.
type FactVersion struct {
	At            time.Time
	Source        string
	Field         string // the column, or "hearing" and the court's number of it
	Before, After *string
}

// WithheldField is the fact whether a record is published at all; it is never shown itself.
const WithheldField = "withheld"

// Merged is why a record is withheld that was found to be another one.
const Merged = "merged"

// MergedField is the field of a version row for a merge: after is the id that resolves to the record from then on.
const MergedField = "merged"

// FirstSeenField is the field of a version row for the beginning of a record, which a merge may set back.
const FirstSeenField = "first_seen"
