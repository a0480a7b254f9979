package record

import (
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// nextHearing joins the next hearing of a case after an instant, which ? stands for. It is computed when
// read, because it changes with the clock and no row does (DECISIONS.md, "Dates, times").
const nextHearing = ` left join lateral next_hearing(c.id, ?::timestamptz) next on true`

// courtColumns are what courtRow scans, in order, and what GORM reads of a case; next is its next hearing.
const courtColumns = `c.id, c.case_number, c.party, c.source_id, c.defendant, c.offense, c.court_type, c.county_id, c.filed_date, c.status, c.judge,
 next.starts_at as next_hearing, coalesce(next.link, c.hearing_link) as hearing_link, c.first_seen, c.last_seen, c.last_change`

// courtRow is a row of courtColumns for pgx, all null on a page past the end.
type courtRow struct {
	id                                                      *int64
	number, party, source, defendant, offense, kind, status *string
	county                                                  *int16
	filed                                                   *models.Date
	judge, link                                             *string
	next, firstSeen, lastSeen, lastChange                   *time.Time
}

// targets are the places for Scan, in the order of courtColumns.
func (r *courtRow) targets() []any {
	return []any{
		&r.id, &r.number, &r.party, &r.source, &r.defendant, &r.offense, &r.kind, &r.county, &r.filed, &r.status, &r.judge,
		&r.next, &r.link, &r.firstSeen, &r.lastSeen, &r.lastChange,
	}
}

// courtCase returns the record, or nil for a row of nulls.
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

// caseAt is a case and the generation that it is of, as GORM scans them.
type caseAt struct {
	Gen int64
	models.CourtCase
}

// casesFrom reads the cases that q finds by GORM, and the generation that they are of, if q reads it.
func casesFrom(q *gorm.DB) (found []*models.CourtCase, gen int64, err error) {
	var rows []*caseAt
	if err := q.Scan(&rows).Error; err != nil {
		return nil, 0, err
	}
	gen = db.AnyGeneration
	found = make([]*models.CourtCase, len(rows))
	for i, r := range rows {
		found[i], gen = &r.CourtCase, r.Gen
	}
	return found, gen, nil
}

// scanCourtCases reads rows of extra columns followed by courtColumns, and closes rows.
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
