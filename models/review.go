package models

import "time"

// ReviewDecision is what an operator decided about a withheld record.
type ReviewDecision string

// The decisions.
const (
	ReviewLifted ReviewDecision = "lifted" // it is published
	ReviewKept   ReviewDecision = "kept"   // it stays hidden, and is not asked about again
)

// Pending is a record that waits for an operator's review, or was reviewed. It names a person.
type Pending struct {
	ID        string // as GraphQL and /v1 give it
	Family    Family
	Reason    WithheldReason // MaybeJuvenile, MaybeRestricted or Vanished
	SourceID  string
	Name      string
	BirthYear *int16
	At        *time.Time      // of the booking or filing; nil: corrections
	Because   *string         // id of the withheld booking whose person it may be of, or that a court case speaks of, or of the case that states a booking's birth; nil: none
	TakenBack bool            // its source called the person a juvenile by a flag, and took that back
	Since     *time.Time      // when it was withheld first for what holds today
	LastSeen  time.Time       `gorm:"serializer:utc"` // by a source, unchanged too
	Decision  *ReviewDecision // nil: it waits
	Actor     *string
	Note      *string
	DecidedAt *time.Time
	ReviewID  int64 // key of the decision; 0: none
}

// Lifted reports whether a review published the record.
func (p *Pending) Lifted() bool { return p.Decision != nil && *p.Decision == ReviewLifted }

// ReviewFilter narrows the records that wait for a review, or were reviewed. What is empty narrows nothing.
type ReviewFilter struct {
	// Decided lists those that were reviewed, and not those that wait.
	Decided bool
	// Source is that of the records, or the source of their scopes.
	Source string
	Reason WithheldReason
	// CountyID leaves out corrections records, which are of no county.
	CountyID *int16
	// SeenSince and SeenUntil bound when a source had the record last.
	SeenSince, SeenUntil *time.Time
	// Skip leaves out the first ones of the list.
	Skip int
}

// DecisionRow is the GORM model of decisions: what an operator decided about a record of a family, by key. It says that the
// record is published or withheld in spite of or for a reason, that another one was merged into it, or was set free again.
type DecisionRow struct {
	ID            int64 `gorm:"primaryKey"`
	Family        Family
	Record        int64
	Kind          string          // publish, withhold, merge, unmerge
	Reason        *WithheldReason // nil: merge, unmerge
	BecauseFamily *Family         // of the record on whose account it is withheld; nil: none
	Because       *int64          // key of that record
	Other         *int64          // key of the record that was merged or set free; nil: publish, withhold
	Actor         string
	Note          string
	DecidedAt     time.Time  `gorm:"serializer:utc"`
	EndedAt       *time.Time `gorm:"serializer:utc"` // nil: it holds
}

// TableName is the table of decisions about records.
func (DecisionRow) TableName() string { return "decisions" }

// Version is that of what a decision goes by: why the record is withheld, and what was decided before.
func (p *Pending) Version() string {
	return versionOf(p.Reason, p.Because, p.TakenBack, p.ReviewID)
}
