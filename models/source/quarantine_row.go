package source

import (
	"time"

	"rollcall/models"
)

// QuarantinedRow is a row that could not be applied. Encrypted is its raw text.
type QuarantinedRow struct {
	Line        int64  // where it stands in the document
	County      int16  // that the row states; 0: that of its source, if it has one
	Field       string // empty: the row as a whole
	Reason      string // no personal data
	Encrypted   []byte // the raw row, encrypted
	Fingerprint []byte // keyed fingerprint of reason and text: the same again is counted; nil: kept each time
}

// QuarantineEntry is a row that waits in quarantine, or waited there. It is the GORM model of quarantine. A row that comes
// again is kept once: RunID, Line, Encrypted and ExpiresAt are those of the last time.
type QuarantineEntry struct {
	ID          int64      `gorm:"primaryKey"`
	RunID       int64      // the run that could not take it
	SourceID    string     // whose row it is
	CountyID    *int16     // nil: the row does not say, or is of no county
	Line        int64      // where it stands in the document
	Field       string     // empty: the row as a whole
	Reason      string     // no personal data
	Encrypted   []byte     // the raw row, encrypted
	Fingerprint []byte     // keyed hash of field, reason and raw row; nil: kept each time
	Times       int        // how often it came
	At          time.Time  `gorm:"serializer:utc"` // the first time
	LastAt      time.Time  `gorm:"serializer:utc"` // the last time
	ExpiresAt   time.Time  `gorm:"serializer:utc"` // when it is deleted
	ResolvedAt  *time.Time `gorm:"serializer:utc"` // nil: it waits
	IgnoredAt   *time.Time `gorm:"serializer:utc"` // when an operator said to ignore it until it changes; nil: nobody did
}

// TableName is the table of rows that could not be applied.
func (QuarantineEntry) TableName() string { return "quarantine" }

// QuarantineCount says how many rows of a source wait in quarantine for one reason.
type QuarantineCount struct {
	Field  string    // empty: the row as a whole
	Reason string    // no personal data
	Rows   int       // different ones
	Last   time.Time // when one of them was last seen
	Times  int       // how often they were seen: a row that stays wrong is seen in every run
}

// PendingClaim is a part of a court case that no source has reported, or the release of a booking that none has. It is the
// GORM model of pending_claims.
type PendingClaim struct {
	Family   models.Family // courts or roster
	SourceID string        // whose claim it is: a source, or one county of it
	Key      string        // of the case or booking, within its source
	SaidAt   time.Time     `gorm:"serializer:utc"` // the instant that its newest row describes
}

// TableName is the view of pending claims.
func (PendingClaim) TableName() string { return "pending_claims" }

// PendingCount says how many cases or bookings a source has reported something of that nobody has reported themselves.
type PendingCount struct {
	Family models.Family // courts or roster
	Claims int           // how many wait
	Last   time.Time     // the instant that the newest of them describes
}

// WaitingRow is a row in quarantine. Encrypted is its raw text.
type WaitingRow struct {
	Run, Line     int64
	Field, Reason string
	Times         int       // how often it came
	Last          time.Time // when it was last seen
	Encrypted     []byte    // the raw row, encrypted
}
