package models

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

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
	LastSeen    time.Time // changed; [Store.LastSeenOf] tells when its parts did, too
	LastChange  time.Time
	PastAt      *time.Time // the instant that the case was asked for; nil: now
	// PastDispositions are those of the instant that the case was asked for, where they have changed since; nil
	// means that [Store.DispositionsOf] tells them.
	PastDispositions []*Disposition
	// PastHearings are those known at the instant that the case was asked for; nil means that [Store.HearingsOf] tells them.
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

// ahead tells whether the hearing is to come at an instant, as nextHearing has it.
func (h *Hearing) ahead(at time.Time) bool {
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

// nextHearing finds a column of a case's next hearing; %[1]s is the placeholder of the moment of reading. One without a
// stated time (sources write midnight for that, too) may be at any hour, so it is to come until its day ends.
const nextHearing = ` from hearings h where h.case_id = c.id and not h.cancelled and h.starts_at >= date_trunc('day', %[1]s::timestamptz, 'America/New_York')
 and (h.starts_at > %[1]s or coalesce(h.time, '00:00') = '00:00') order by h.starts_at limit 1`

// courtColumns are what courtRow scans; %[1]s is the placeholder of the moment of reading.
const courtColumns = `c.id, c.case_number, c.party, c.source_id, c.defendant, c.offense, c.court_type, c.county_id, c.filed_date, c.status, c.judge,
 (select starts_at` + nextHearing + `),
 coalesce((select link` + nextHearing + `), c.hearing_link),
 c.first_seen, c.last_seen, c.last_change`

// courtRow takes a row of courtColumns, all null on a page past the end.
type courtRow struct {
	id                                                      *int64
	number, party, source, defendant, offense, kind, status *string
	county                                                  *int16
	filed                                                   *Date
	judge, link                                             *string
	next, firstSeen, lastSeen, lastChange                   *time.Time
}

func (r *courtRow) targets() []any {
	return []any{
		&r.id, &r.number, &r.party, &r.source, &r.defendant, &r.offense, &r.kind, &r.county, &r.filed, &r.status, &r.judge,
		&r.next, &r.link, &r.firstSeen, &r.lastSeen, &r.lastChange,
	}
}

func (r *courtRow) courtCase(c *Counties) *CourtCase {
	if r.id == nil {
		return nil
	}
	k := &CourtCase{
		Key: *r.id, CaseNumber: *r.number, Party: *r.party, SourceID: *r.source, Defendant: *r.defendant, Offense: *r.offense,
		CourtType: CourtType(*r.kind), County: c.ByID(*r.county), FiledDate: *r.filed, Status: CourtStatus(*r.status), Judge: r.judge,
		HearingLink: r.link, FirstSeen: r.firstSeen.UTC(), LastSeen: r.lastSeen.UTC(), LastChange: r.lastChange.UTC(),
	}
	if r.next != nil {
		t := r.next.In(Georgia)
		k.NextHearing = &t
	}
	return k
}

func scanCourtCases(rows pgx.Rows, c *Counties, extra ...any) ([]*CourtCase, error) {
	defer rows.Close()
	var out []*CourtCase
	for rows.Next() {
		var r courtRow
		if err := rows.Scan(append(append(make([]any, 0, len(extra)+16), extra...), r.targets()...)...); err != nil {
			return nil, err
		}
		if k := r.courtCase(c); k != nil {
			out = append(out, k)
		}
	}
	return out, rows.Err()
}
