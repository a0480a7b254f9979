package link

import (
	"strconv"
	"time"

	"rollcall/models"
)

// GdcRow is the GORM model of gdc_links: the corrections record of a booking's person, of which there is at most one.
type GdcRow struct {
	RID          int64 `gorm:"column:rid;primaryKey"` // models.Booking.RID
	CID          int64 `gorm:"column:cid"`            // models.CorrectionsRecord.CID
	Confidence   models.Confidence
	Probability  float64   // 0 to 1
	Reasons      []string  `gorm:"serializer:list"` // why, in plain words; never nil
	MugshotMatch bool      // facial recognition confirmed it
	Origin       string    // models.LinkImported, models.LinkMatched or models.LinkOfOperator
	Pinned       bool      // confirmed by an operator: linking does not change it
	LinkedAt     time.Time `gorm:"serializer:utc"`
}

// TableName is the table of links between bookings and corrections records.
func (GdcRow) TableName() string { return "gdc_links" }

// CourtRow is the GORM model of court_links: a booking or the corrections record of a case's defendant. Exactly one of
// RID and CID is set. A case has any number of bookings and at most one corrections record, so no column is a key alone.
type CourtRow struct {
	CaseKey     int64  `gorm:"column:case_id"` // models.CourtCase.Key
	RID         *int64 `gorm:"column:rid"`     // models.Booking.RID; nil: none
	CID         *int64 `gorm:"column:cid"`     // models.CorrectionsRecord.CID; nil: none
	Confidence  models.Confidence
	Probability float64   // 0 to 1
	Reasons     []string  `gorm:"serializer:list"` // why, in plain words; never nil
	Origin      string    // models.LinkMatched or models.LinkOfOperator
	Pinned      bool      // confirmed by an operator: linking does not change it
	LinkedAt    time.Time `gorm:"serializer:utc"`
}

// TableName is the table of links of cases.
func (CourtRow) TableName() string { return "court_links" }

// Decision is an operator's decision about a booking and a corrections record. It names them by public ids, which
// outlive a new ingest. It is the GORM model of link_decisions.
type Decision struct {
	RosterID  string            `gorm:"primaryKey"` // Booking.ID
	GdcID     string            `gorm:"primaryKey"`
	Decision  models.LinkChoice // one record at most is confirmed for a booking
	DecidedAt time.Time         `gorm:"serializer:utc"`
	Seq       int64             `gorm:"default:(-)"` // order of decisions; a link run looks at those after Progress.Decision
}

// TableName is the table of decisions about bookings and corrections records.
func (Decision) TableName() string { return "link_decisions" }

// CourtDecision is an operator's decision about a case and a booking or corrections record. It names them by what
// outlives a new ingest. It is the GORM model of court_link_decisions.
type CourtDecision struct {
	CountyID   int16             `gorm:"primaryKey;autoIncrement:false"`
	CourtType  models.CourtType  `gorm:"primaryKey"`
	CaseNumber string            `gorm:"primaryKey"`
	Party      string            `gorm:"primaryKey"`
	Family     models.Family     `gorm:"primaryKey"` // of the person: Roster or Corrections
	Person     string            `gorm:"primaryKey"` // Booking.ID or CorrectionsRecord.GdcID
	Decision   models.LinkChoice // one corrections record at most is confirmed for a case
	DecidedAt  time.Time         `gorm:"serializer:utc"`
	Seq        int64             `gorm:"default:(-)"` // order of decisions; a link run looks at those after Progress.CourtDecision
}

// TableName is the table of decisions about cases.
func (CourtDecision) TableName() string { return "court_link_decisions" }

// Progress is how far linking has come. It is the GORM model of link_progress, which has one row. A transaction that
// writes links or decisions locks it first.
type Progress struct {
	One            bool  `gorm:"primaryKey"` // always true
	RosterGen      int64 // generations whose changes are linked
	CorrectionsGen int64
	CourtsGen      int64
	Decision       int64 // Decision.Seq up to which decisions are applied
	CourtDecision  int64 // CourtDecision.Seq up to which decisions are applied
	Population     int64 // number of records from which chance agreement was computed
	Unfinished     bool  // no run yet, or one was interrupted: the next links everything
}

// TableName is the table of the one row.
func (Progress) TableName() string { return "link_progress" }

// LinkedRecord is a published corrections record as the last link run saw it. It is the GORM model of linked_records.
type LinkedRecord struct {
	CID   int64  `gorm:"column:cid;primaryKey;autoIncrement:false"` // CorrectionsRecord.CID
	GdcID string // CorrectionsRecord.GdcID
	Name  string // as the department writes it
	Born  string // YYYY-MM-DD, YYYY or empty
}

// TableName is the table of records that were linked.
func (LinkedRecord) TableName() string { return "linked_records" }

// born is what is known of a birth: YYYY-MM-DD, YYYY or empty.
func born(dob *models.Date, year *int) string {
	switch {
	case dob != nil:
		return dob.String()
	case year != nil:
		return strconv.Itoa(*year)
	}
	return ""
}
