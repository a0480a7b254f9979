package record

import (
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

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
	filed                                                   *models.Date
	judge, link                                             *string
	next, firstSeen, lastSeen, lastChange                   *time.Time
}

func (r *courtRow) targets() []any {
	return []any{
		&r.id, &r.number, &r.party, &r.source, &r.defendant, &r.offense, &r.kind, &r.county, &r.filed, &r.status, &r.judge,
		&r.next, &r.link, &r.firstSeen, &r.lastSeen, &r.lastChange,
	}
}

func (r *courtRow) courtCase(c *models.Counties) *models.CourtCase {
	if r.id == nil {
		return nil
	}
	k := &models.CourtCase{
		Key: *r.id, CaseNumber: *r.number, Party: *r.party, SourceID: *r.source, Defendant: *r.defendant, Offense: *r.offense,
		CourtType: models.CourtType(*r.kind), County: c.ByID(*r.county), FiledDate: *r.filed, Status: models.CourtStatus(*r.status), Judge: r.judge,
		HearingLink: r.link, FirstSeen: r.firstSeen.UTC(), LastSeen: r.lastSeen.UTC(), LastChange: r.lastChange.UTC(),
	}
	if r.next != nil {
		t := r.next.In(models.Georgia)
		k.NextHearing = &t
	}
	return k
}

func scanCourtCases(rows pgx.Rows, c *models.Counties, extra ...any) ([]*models.CourtCase, error) {
	defer rows.Close()
	var out []*models.CourtCase
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
