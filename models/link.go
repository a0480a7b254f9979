package models

import "time"

// Who made a link.
const (
	LinkImported   = "imported" // taken over from another system
	LinkMatched    = "matched"  // found by package match
	LinkOfOperator = "operator" // confirmed by an operator
)

// CourtLink joins a court case with a booking or a corrections record of its defendant, all published. The same row is
// read from both sides. Exactly one of RID and CID is set. It is the GORM model of published_court_links.
type CourtLink struct {
	CaseKey    int64      `gorm:"column:case_id"` // CourtCase.Key
	RID        *int64     `gorm:"column:rid"`     // Booking.RID; nil: none
	CID        *int64     `gorm:"column:cid"`     // CorrectionsRecord.CID; nil: none
	Confidence Confidence // at most low without an equal birth date or the booking number that the court names
	Reasons    []string   `gorm:"serializer:list"` // why, in plain words; never nil
}

// TableName is the view of links of which both ends are published.
func (CourtLink) TableName() string { return "published_court_links" }

// LinkCase is what a published court case says of its defendant.
type LinkCase struct {
	Key             int64
	County          int16
	Name            string
	Born            string   // YYYY-MM-DD, YYYY or empty
	Booking         string   // the number that the court names, or empty
	Offenses        []string // primary offense and charges, statutes before the words
	DismissedRoster []string // booking ids that an operator ruled out
	DismissedGdc    []string // gdc ids that an operator ruled out
}

// LinkStay is what a published booking says to a case: its person, charges and numbers, and its link.
type LinkStay struct {
	RID           int64 // Booking.RID
	ID            string
	Name          string
	Born          string
	Charges       []string
	Numbers       []string    // its keys at the sources
	GdcID         *string     // of its link, nil without one
	GdcBorn       *string     // what that record says of the birth
	GdcConfidence *Confidence // of that link
}

// LinkFace is the name, birth and county of a booking or a case.
type LinkFace struct {
	Key    int64
	County int16
	Name   string
	Born   string
}

// FoundCourtLink is a link of a case that matching found: to a booking, or to a corrections record.
type FoundCourtLink struct {
	CaseKey     int64  // CourtCase.Key
	RID         *int64 // Booking.RID; nil: none
	GdcID       *string
	Confidence  Confidence
	Probability float64
	Reasons     []string // never nil
}

// CourtPair is everything that is known of a case and a booking or corrections record as one person.
type CourtPair struct {
	Case       LinkCase
	Number     string    // of the case
	Stay       *LinkStay // the booking, or nil
	Record     *LinkRecord
	SameCounty bool // false only for a booking elsewhere, which is never linked
	Withheld   bool // one of them is not published, so there is no link
	Decision   *LinkChoice
	Stored     *StoredLink // the link of this pair, or nil
	Population int         // of records, for match.BestForCase
}

// Confidence is how sure a link is.
type Confidence string

// The confidences of SPEC.md.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// GdcLink joins a published booking with the published corrections record of the same person. The same row is read
// from both sides, so gdc_match and county_records always agree. It is the GORM model of published_links.
type GdcLink struct {
	RID          int64 `gorm:"column:rid"` // Booking.RID
	CID          int64 `gorm:"column:cid"` // CorrectionsRecord.CID
	GdcID        string
	Confidence   Confidence
	Reasons      []string `gorm:"serializer:list"` // why, in plain words; never nil
	MugshotMatch bool     // facial recognition confirmed it, here or in an imported system
	KnownStatus  bool     // the corrections record has a status that /v1 can say, so /v1 serves it
}

// TableName is the view of links of which both ends are published.
func (GdcLink) TableName() string { return "published_links" }

// CountyRecord is a link read from the corrections side, with its booking.
type CountyRecord struct {
	*GdcLink
	Record *Booking
}

// RosterID is the id of the booking.
func (r *CountyRecord) RosterID() string { return r.Record.ID }

// County is the county of the booking.
func (r *CountyRecord) County() *County { return r.Record.County }

// BookingDate is when the person was booked.
func (r *CountyRecord) BookingDate() time.Time { return r.Record.BookingDate }

// Status is the booking's status.
func (r *CountyRecord) Status() RosterStatus { return r.Record.Status }

// LinkRecord is what a published corrections record says of its person.
type LinkRecord struct {
	GdcID string
	Name  string
	Born  string // YYYY-MM-DD, YYYY or empty
}

// LinkChoice is what an operator decided of a booking and a corrections record. It is kept by their
// public ids and holds for every later ingest and relink.
type LinkChoice string

// The choices. A confirmed pair is linked whatever matching says, a dismissed one never.
const (
	LinkConfirmed LinkChoice = "confirmed"
	LinkDismissed LinkChoice = "dismissed"
)

// LinkPair is everything that is known of a booking and a corrections record as one person.
type LinkPair struct {
	Booking    LinkBooking
	Record     LinkRecord
	Withheld   bool        // one of them is not published, so there is no link
	Decision   *LinkChoice // an operator's, or nil
	Stored     *StoredLink // the booking's link, to this record or to another, or nil
	Population int         // of records, for match.Best
}

// StoredLink is the link of a pair, with the public id of its corrections record.
type StoredLink struct {
	GdcID       string // empty for the link of a case
	Confidence  Confidence
	Probability float64
	Reasons     []string `gorm:"serializer:list"`
	Origin      string   // LinkImported, LinkMatched or LinkOfOperator
	Pinned      bool     // confirmed by an operator
}

// LinkBooking is what a booking says of its person.
type LinkBooking struct {
	RID       int64 // Booking.RID
	Name      string
	Born      string   // YYYY-MM-DD, YYYY or empty
	Dismissed []string // gdc ids that an operator ruled out
}

// FoundLink is a link that matching found.
type FoundLink struct {
	RID         int64 // Booking.RID
	GdcID       string
	Confidence  Confidence
	Probability float64
	Reasons     []string // never nil
}

// LinkCounts says what Save changed.
type LinkCounts struct {
	Made    int // links that are new, or to another record
	Changed int // links to the same record, seen with other eyes
	Removed int
}
