package models

import "time"

// Category is why the corrections department keeps a record.
type Category string

// The categories of SPEC.md.
const (
	Offender    Category = "offender"
	Parolee     Category = "parolee"
	SexOffender Category = "sex_offender"
)

// CorrectionsStatus is where a person is, as far as the department says. UnknownCustody stands
// inside and in GraphQL only.
type CorrectionsStatus string

// The statuses of SPEC.md, and unknown.
const (
	Incarcerated     CorrectionsStatus = "incarcerated"
	Paroled          CorrectionsStatus = "paroled"
	ReleasedByPrison CorrectionsStatus = "released"
	UnknownCustody   CorrectionsStatus = "unknown"
)

// CorrectionsRecord is a record of the state corrections department. It is the GORM model of published_corrections.
type CorrectionsRecord struct {
	CID                  int64      `gorm:"column:cid;primaryKey"` // its key in the database, which is never shown
	GdcID                string     // the department's id of the person
	SourceID             string     // who reported it first
	Name                 string     // as the department wrote it
	Dob                  *Date      `gorm:"serializer:date"`
	BirthYear            *int       // also set when only the year is known
	Category             Category   // the main one
	Categories           []Category `gorm:"serializer:list"` // all that apply; Category is the first in the order sex_offender, parolee, offender
	Institution          *string
	Sentence             *string // human-readable length
	Status               CorrectionsStatus
	ReleaseDate          *Date      `gorm:"serializer:date"`
	ReleaseDateProjected bool       `gorm:"column:release_projected"` // ReleaseDate has not come yet
	ParoleEndDate        *Date      `gorm:"serializer:date"`
	FirstSeen            time.Time  `gorm:"serializer:utc"`
	LastSeen             time.Time  `gorm:"serializer:utc"` // changed; record.Store.LastSeenOf reads when at all
	LastChange           time.Time  `gorm:"serializer:utc"`
	PastAt               *time.Time `gorm:"-"` // the instant that the record was asked for; nil: now
}

// TableName is the view of published corrections records.
func (CorrectionsRecord) TableName() string { return "published_corrections" }

// ID is the record's id in GraphQL, the same as GdcID with a prefix that names the family.
func (r *CorrectionsRecord) ID() string { return "gdc-" + r.GdcID }

// CorrectionsFilter narrows the list; what is nil does not narrow.
type CorrectionsFilter struct {
	Name         *string
	GdcID        *string // exact
	Category     *Category
	Status       *CorrectionsStatus
	UpdatedSince *time.Time
	KnownStatus  bool // leave out records whose status is unknown, as /v1 does
}

// CorrectionsPage is one page with the exact number of all matches, from one snapshot.
type CorrectionsPage struct {
	Total    int
	Limit    int
	Offset   int
	Records  []*CorrectionsRecord
	PageInfo PageInfo
}
