package models

import "time"

// Who made a link.
const (
	LinkImported   = "imported" // taken over from another system
	LinkMatched    = "matched"  // found by package match
	LinkOfOperator = "operator" // confirmed by an operator
)

// GdcLinkRow is the GORM model of gdc_links: the corrections record of a booking's person, of which there is at most one.
type GdcLinkRow struct {
	RID          int64 `gorm:"column:rid;primaryKey"` // Booking.RID
	CID          int64 `gorm:"column:cid"`            // CorrectionsRecord.CID
	Confidence   Confidence
	Probability  float64   // 0 to 1
	Reasons      []string  `gorm:"serializer:list"` // why, in plain words; never nil
	MugshotMatch bool      // facial recognition confirmed it
	Origin       string    // LinkImported, LinkMatched or LinkOfOperator
	Pinned       bool      // confirmed by an operator: linking does not change it
	LinkedAt     time.Time `gorm:"serializer:utc"`
}

// TableName is the table of links between bookings and corrections records.
func (GdcLinkRow) TableName() string { return "gdc_links" }

// CourtLinkRow is the GORM model of court_links: a booking or the corrections record of a case's defendant. Exactly one of
// RID and CID is set. A case has any number of bookings and at most one corrections record, so no column is a key alone.
type CourtLinkRow struct {
	CaseKey     int64  `gorm:"column:case_id"` // CourtCase.Key
	RID         *int64 `gorm:"column:rid"`     // Booking.RID; nil: none
	CID         *int64 `gorm:"column:cid"`     // CorrectionsRecord.CID; nil: none
	Confidence  Confidence
	Probability float64   // 0 to 1
	Reasons     []string  `gorm:"serializer:list"` // why, in plain words; never nil
	Origin      string    // LinkMatched or LinkOfOperator
	Pinned      bool      // confirmed by an operator: linking does not change it
	LinkedAt    time.Time `gorm:"serializer:utc"`
}

// TableName is the table of links of cases.
func (CourtLinkRow) TableName() string { return "court_links" }
