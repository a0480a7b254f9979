package record

import (
	"time"

	"rollcall/models"
)

// nextHearing joins the next hearing of a case after an instant, which ? stands for. It is computed when
// read, because it changes with the clock and no row does (DECISIONS.md, "Dates, times").
const nextHearing = ` left join lateral next_hearing(c.id, ?::timestamptz) next on true`

// courtColumns are what is read of a case, in the order of its places; next is its next hearing.
const courtColumns = `c.id, c.case_number, c.party, c.source_id, c.defendant, c.offense, c.court_type, c.county_id, c.filed_date, c.filed_inferred,
 c.bail_cents, c.status, c.judge, next.starts_at as next_hearing, coalesce(next.link, c.hearing_link) as hearing_link, c.first_seen, c.last_seen, c.last_change`

// courtTable reads cases.
var courtTable = records[models.CourtCase]{
	table: table{
		family: models.Courts, name: "published_cases", reachable: "reachable_cases", versions: "reachable_case_versions",
		alias: "c", key: "id", columns: courtColumns, join: nextHearing,
	},
	keyOf: func(c *models.CourtCase) int64 { return c.Key },
	places: func(c *models.CourtCase, county func(**models.County) any) []any {
		return []any{
			&c.Key, &c.CaseNumber, &c.Party, &c.SourceID, &c.Defendant, &c.Offense, &c.CourtType, county(&c.County), &c.FiledDate, &c.FiledDateInferred,
			&c.BailCents, &c.Status, &c.Judge, &c.NextHearing, &c.HearingLink, &c.FirstSeen, &c.LastSeen, &c.LastChange,
		}
	},
	complete: func(c *models.CourtCase) {
		inZone(models.Georgia, c.NextHearing)
		inZone(time.UTC, &c.FirstSeen, &c.LastSeen, &c.LastChange)
	},
}
