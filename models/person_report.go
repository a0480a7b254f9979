package models

import "time"

// ReportState is what became of a report about a person.
type ReportState string

// The states of a report.
const (
	ReportOpen ReportState = "open"
	ReportKept ReportState = "together" // the record stays with the person
	ReportCut  ReportState = "apart"    // the record is of somebody else, for good
)

// PersonReport says that a record on the page of a person is of somebody else. An operator decides about it. It is the GORM model of
// person_reports.
type PersonReport struct {
	ID        int64       `gorm:"primaryKey"`
	Record    string      // id of the record, as GraphQL has it
	Person    string      // id of another record of the person
	AccountID string      // whose member reported it
	Reporter  string      // the member's address
	Note      string      // why; empty: not stated
	State     ReportState `gorm:"default:open"`
	MadeAt    time.Time   `gorm:"serializer:utc"`
	Grounds   *string     // of the decision
	DecidedBy *string
	DecidedAt *time.Time `gorm:"serializer:utc"`
}

// TableName is the table of reports.
func (PersonReport) TableName() string { return "person_reports" }
