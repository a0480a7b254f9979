package models

import "time"

// RecordChange is one change of a published fact of a record, as callers may see it.
type RecordChange struct {
	At       time.Time // UTC, when the run began that brought it
	SourceID string    // who said so
	Field    string    // as GraphQL calls it
	Before   *string   // as GraphQL writes it; nil: not known or not set
	After    *string
	// MergedFrom is the id that it was stated of, where that record was merged into this one later; nil: this record's own.
	MergedFrom *string
}

// FactVersion is a fact as it was before and after a run. It is the GORM model of reachable_booking_versions,
// reachable_case_versions and reachable_corrections_versions, which statements of package record read by family.
type FactVersion struct {
	At            time.Time `gorm:"serializer:utc"`
	Source        string    `gorm:"column:source_id"` // who said so
	Field         string    // the column, or "hearing" and the court's number of it
	Before, After *string   // nil: not known or not set
}

// MergeInForce is a merge that holds, as operators see it.
type MergeInForce struct {
	Family Family
	Gone   string    // public id of the record that was merged
	Kept   string    // public id of the record that it was merged into
	At     time.Time `gorm:"serializer:utc"`
	Actor  string    // who merged them; empty: the command did
}

// WithheldField is the fact whether a record is published at all; it is never shown itself.
const WithheldField = "withheld"

// MergedIntoField is the fact which record one is that was merged, by key; it is never shown itself.
const MergedIntoField = "merged_into"

// MergedField is the field of a version row for a merge: after is the id that resolves to the record from then on.
const MergedField = "merged"

// FirstSeenField is the field of a version row for the beginning of a record, which a merge may set back.
const FirstSeenField = "first_seen"
