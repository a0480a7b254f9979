package models

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseHearing reads what a version row says of a hearing.
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

// CourtCase is one defendant's case in a court: unique by county, court type, number and party.
type CourtCase struct {
	Key         int64
	CaseNumber  string // as the court formats it
	Party       string // "1" where the court numbers no parties
	SourceID    string
	Defendant   string
	Offense     string // primary offense charged
	CourtType   CourtType
	County      *County
	FiledDate   Date
	Status      CourtStatus
	Judge       *string
	NextHearing *time.Time // first hearing after the moment of reading, or of its day where no time is stated; Georgia's zone
	HearingLink *string    // of the next hearing, else the case's own
	FirstSeen   time.Time
	LastSeen    time.Time // changed; record.Store.LastSeenOf tells when its parts did, too
	LastChange  time.Time
	PastAt      *time.Time // the instant that the case was asked for; nil: now
	// PastDispositions are those of the instant that the case was asked for, where they have changed since; nil
	// means that record.Store.DispositionsOf tells them.
	PastDispositions []*Disposition
	// PastHearings are those known at the instant that the case was asked for; nil means that record.Store.HearingsOf tells them.
	PastHearings []*Hearing
}

// ID is the case's opaque id in GraphQL.
func (c *CourtCase) ID() string { return fmt.Sprintf("case-%s-%d", c.County.Slug, c.Key) }

// Hearing is one event on a case's calendar.
type Hearing struct {
	Date     Date
	Time     *string // HH:MM, local; nil: not stated
	StartsAt time.Time
	Judge    *string
	Location *string // nil when virtual only
	ZoomLink *string // nil when in person
}

// Ahead tells whether the hearing is to come at an instant, as nextHearing has it.
func (h *Hearing) Ahead(at time.Time) bool {
	if h.Time == nil || *h.Time == "00:00" {
		return h.StartsAt.AddDate(0, 0, 1).After(at)
	}
	return h.StartsAt.After(at)
}

// Disposition is one outcome recorded in a case.
type Disposition struct {
	Date     Date
	Outcome  string
	Sentence *string
}

// CourtFilter narrows the list of cases; what is nil does not narrow.
type CourtFilter struct {
	Name       *string
	CaseNumber *string // exact after trimming
	// CaseNumberStart is how the number begins, after trimming: three characters or more, so that it tells something.
	CaseNumberStart *string
	CourtType       *CourtType
	County          *string // slug
	Status          *CourtStatus
	UpdatedSince    *time.Time
	KnownStatus     bool // leave out cases whose status is unknown, as /v1 does
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
