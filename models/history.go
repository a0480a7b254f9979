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

// VersionRow is the GORM model of record_changes: a version with its record.
type VersionRow struct {
	ID          int64  `gorm:"primaryKey"` // in the order of commits
	Family      Family // of the record
	Record      int64  // its key: Booking.RID, CourtCase.Key or CorrectionsRecord.CID
	RunID       *int64 // nil: an operator's decision
	FactVersion `gorm:"embedded"`
}

// TableName is the table of versions.
func (VersionRow) TableName() string { return "record_changes" }

// FactVersion is a fact as it was before and after a run.
type FactVersion struct {
	At            time.Time `gorm:"serializer:utc"`
	Source        string    `gorm:"column:source_id"` // who said so
	Field         string    // the column, or "hearing" and the court's number of it
	Before, After *string   // nil: not known or not set
}

// MergedRecord is the GORM model of merged_records: a record that an operator found to be another one. Its public id resolves
// to the one that stayed.
type MergedRecord struct {
	Family     Family    `gorm:"primaryKey"`
	ID         string    `gorm:"primaryKey"` // public id that went
	Gone       int64     // key of the record that went
	IntoRecord int64     // key of the record that it was merged into
	Record     int64     // key of the record where later merges ended
	MergedAt   time.Time `gorm:"serializer:utc"`
}

// TableName is the table of merged records.
func (MergedRecord) TableName() string { return "merged_records" }

// WithheldField is the fact whether a record is published at all; it is never shown itself.
const WithheldField = "withheld"

// Merged is why a record is withheld that was found to be another one.
const Merged = "merged"

// MergedField is the field of a version row for a merge: after is the id that resolves to the record from then on.
const MergedField = "merged"

// FirstSeenField is the field of a version row for the beginning of a record, which a merge may set back.
const FirstSeenField = "first_seen"
