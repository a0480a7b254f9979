package source

import (
	"time"

	"rollcall/models/snapshot"
)

// QuarantinedRow is a row that could not become a fact; Sealed is its raw text, encrypted.
type QuarantinedRow struct {
	Line        int64
	Field       string
	Reason      string
	Encrypted   []byte
	Fingerprint []byte           // keyed fingerprint of reason and text: the same again is counted; nil: kept each time
	Pending     *snapshot.Parent // the case or booking that it waits for, or nil
}

// QuarantineEntry is a row that waits in quarantine, or waited there. It is the GORM model of quarantine. A row that comes
// again is kept once: RunID, Line, Sealed and ExpiresAt are those of the last time.
type QuarantineEntry struct {
	ID          int64      `gorm:"primaryKey"`
	RunID       int64      // the run that could not take it
	SourceID    string     // whose row it is
	Line        int64      // where it stands in the document
	Field       string     // empty: the row as a whole
	Reason      string     // no personal data
	Encrypted   []byte     // the raw row, encrypted
	Fingerprint []byte     // keyed hash of field, reason and raw row; nil: kept each time
	Times       int        // how often it came
	At          time.Time  `gorm:"serializer:utc"` // the first time
	LastAt      time.Time  `gorm:"serializer:utc"`
	SeenAt      *time.Time `gorm:"serializer:utc"` // the instant that the row describes
	ExpiresAt   time.Time  `gorm:"serializer:utc"`
	ResolvedAt  *time.Time `gorm:"serializer:utc"` // nil: it waits

	PendingCounty *int16  // of the case that it waits for; nil with AwaitsNumber: it waits for a booking
	PendingCourt  *string // of that case
	PendingNumber *string // of that case, or the key of that booking; nil: it waits for an operator
	PendingParty  *string // nil: any party of the case
}

// TableName is the table of rows that could not be applied.
func (QuarantineEntry) TableName() string { return "quarantine" }

// QuarantineCount says how many rows of a source wait in quarantine for one reason.
type QuarantineCount struct {
	Field   string // empty: the row as a whole
	Reason  string
	Rows    int // different ones
	Last    time.Time
	Times   int  // how often they were seen: a row that stays wrong is seen in every run
	Pending bool // nothing is wrong with them: they wait for their court case or booking
}

// WaitingRow is a row in quarantine; Sealed is its raw text, encrypted.
type WaitingRow struct {
	Run, Line     int64
	Field, Reason string
	Times         int // how often it came
	Last          time.Time
	Encrypted     []byte
}
