package link

import "rollcall/models"

// The models of the views of all records, withheld ones among them: operators decide about those too. They are of this package,
// and not of models, because what is read through them is for no caller's eyes unless it is published.

// KnownBooking is the GORM model of known_bookings.
type KnownBooking struct {
	RID       int64        `gorm:"column:rid;primaryKey"`
	ID        string       // Booking.ID
	CountyID  int16        // Booking.County
	Name      string       // as the jail wrote it
	Dob       *models.Date `gorm:"serializer:date"`
	BirthYear *int         // also set when only the year is known
	Published bool         // false: withheld, or merged into another booking
}

// TableName is the view of all bookings.
func (KnownBooking) TableName() string { return "known_bookings" }

// KnownCase is the GORM model of known_cases.
type KnownCase struct {
	Key        int64            `gorm:"column:id;primaryKey"`
	CountyID   int16            // CourtCase.County
	CourtType  models.CourtType // with CaseNumber and Party what the court calls it
	CaseNumber string
	Party      string
	Published  bool // false: withheld, or merged into another case
}

// TableName is the view of all cases.
func (KnownCase) TableName() string { return "known_cases" }

// KnownCorrections is the GORM model of known_corrections.
type KnownCorrections struct {
	CID       int64        `gorm:"column:cid;primaryKey"`
	GdcID     string       // CorrectionsRecord.GdcID
	Name      string       // as the department wrote it
	Dob       *models.Date `gorm:"serializer:date"`
	BirthYear *int         // also set when only the year is known
	Published bool         // false: withheld, or merged into another record
}

// TableName is the view of all corrections records.
func (KnownCorrections) TableName() string { return "known_corrections" }
