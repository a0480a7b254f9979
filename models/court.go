package models

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseHearing reads a hearing from the text of a version row.
func ParseHearing(text string) (Hearing, error) {
	var v struct {
		StartsAt                    time.Time
		Date                        string
		Time, Judge, Location, Link *string
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return Hearing{}, err
	}
	date, err := ParseDate(v.Date)
	return Hearing{Date: date, Time: v.Time, StartsAt: v.StartsAt.In(Georgia), Judge: v.Judge, Location: v.Location, ZoomLink: v.Link}, err
}

// CourtType is the kind of court that a case lies in.
type CourtType string

// The court types of SPEC.md, as requests write them.
const (
	StateCourt      CourtType = "state"
	SuperiorCourt   CourtType = "superior"
	MagistrateCourt CourtType = "magistrate"
	WarrantsCourt   CourtType = "warrants"
)

// CourtStatus is how far a case is. UnknownCase stands inside and in GraphQL only.
type CourtStatus string

// The statuses of SPEC.md, and unknown.
const (
	PendingCase CourtStatus = "pending"
	ClosedCase  CourtStatus = "closed"
	WarrantCase CourtStatus = "warrant"
	UnknownCase CourtStatus = "unknown"
)

// CourtCase is one defendant's case in a court: unique by county, court type, number and party. It is the GORM model of
// published_cases.
type CourtCase struct {
	Key        int64       `gorm:"column:id;primaryKey"`
	CaseNumber string      // as the court formats it
	Party      string      // "1" where the court numbers no parties
	SourceID   string      // who reported it first
	Defendant  string      // as the court wrote the name
	Offense    string      // primary offense charged
	CourtType  CourtType   // of the court that it lies in
	County     *County     `gorm:"column:county_id;serializer:county"`
	FiledDate  Date        `gorm:"serializer:date"`
	Status     CourtStatus // how far it is
	// FiledDateInferred reports that no source states the day of filing; FiledDate is then the earliest day known of the case.
	FiledDateInferred bool   `gorm:"column:filed_inferred"`
	BailCents         *int64 // nil: none is set or known
	Judge             *string
	NextHearing       *time.Time `gorm:"->;serializer:georgia"` // first hearing after the moment of reading, or of its day where no time is stated
	HearingLink       *string    // of the next hearing, else the case's own
	FirstSeen         time.Time  `gorm:"serializer:utc"`
	LastSeen          time.Time  `gorm:"serializer:utc"` // changed; record.Store.LastSeenOf reads when its parts did, too
	LastChange        time.Time  `gorm:"serializer:utc"`
	PastAt            *time.Time `gorm:"-"` // the instant that the case was asked for; nil: now
	// PastDispositions are those of the instant that the case was asked for, where they have changed since; nil
	// means that record.Store.DispositionsOf reads them.
	PastDispositions []*Disposition `gorm:"-"`
	// PastHearings are those known at the instant that the case was asked for; nil means that record.Store.HearingsOf reads them.
	PastHearings []*Hearing `gorm:"-"`
}

// TableName is the view of published cases.
func (CourtCase) TableName() string { return "published_cases" }

// BailAmount is the bail in US dollars; nil: none is set or known.
func (c *CourtCase) BailAmount() *float64 { return usd(c.BailCents) }

// ID is the case's opaque id in GraphQL.
func (c *CourtCase) ID() string { return fmt.Sprintf("case-%s-%d", c.County.Slug, c.Key) }

// HearingRow is the GORM model of published_hearings: a hearing with its case.
type HearingRow struct {
	ID        int64  `gorm:"primaryKey"`
	CaseKey   int64  `gorm:"column:case_id"` // CourtCase.Key
	Event     string // the court's number of it; stable within its case
	Hearing   `gorm:"embedded"`
	Kind      *string // as the court words it
	Cancelled bool
}

// TableName is the view of hearings of published cases.
func (HearingRow) TableName() string { return "published_hearings" }

// Hearing is one event on a case's calendar.
type Hearing struct {
	Date     Date      `gorm:"serializer:date"`
	Time     *string   // HH:MM, local; nil: not stated
	StartsAt time.Time `gorm:"serializer:georgia"`
	Judge    *string
	Location *string // nil when virtual only
	ZoomLink *string `gorm:"column:link"` // nil when in person
}

// Ahead reports whether the hearing is still to come at an instant, as nextHearing has it.
func (h *Hearing) Ahead(at time.Time) bool {
	if h.Time == nil || *h.Time == "00:00" {
		return h.StartsAt.AddDate(0, 0, 1).After(at)
	}
	return h.StartsAt.After(at)
}

// DispositionRow is the GORM model of published_dispositions: an outcome with its case.
type DispositionRow struct {
	ID          int64 `gorm:"primaryKey"`
	CaseKey     int64 `gorm:"column:case_id"` // CourtCase.Key
	Seq         int   // in the order of the court
	Disposition `gorm:"embedded"`
}

// TableName is the view of dispositions of published cases.
func (DispositionRow) TableName() string { return "published_dispositions" }

// Disposition is one outcome recorded in a case.
type Disposition struct {
	Date     Date `gorm:"serializer:date"`
	Outcome  string
	Sentence *string
}

// CourtFilter narrows the list of cases; what is nil does not narrow.
type CourtFilter struct {
	Name       *string
	CaseNumber *string // exact after trimming
	// CaseNumberStart is how the number begins, after trimming: three characters or more, else it would match too many.
	CaseNumberStart *string
	// CaseNumberPart is any part of the number, after trimming: four characters or more.
	CaseNumberPart *string
	CourtType      *CourtType
	County         *string // slug
	Status         *CourtStatus
	UpdatedSince   *time.Time
	KnownStatus    bool // leave out cases whose status is unknown, as /v1 does
}

// CourtPage is one page of cases with the exact number of all matches, from one snapshot.
type CourtPage struct {
	County   *string // slug of the county that was asked for, or nil
	Total    int
	Limit    int
	Offset   int
	Records  []*CourtCase
	PageInfo PageInfo
}

// ParseCaseID takes an id that CourtCase.ID made apart.
func ParseCaseID(id string) (county string, key int64, ok bool) {
	at := strings.LastIndexByte(id, '-')
	county, ok = strings.CutPrefix(id[:max(at, 0)], "case-")
	key, err := strconv.ParseInt(id[at+1:], 10, 64)
	return county, key, ok && err == nil
}
