package record

import (
	"time"

	"rollcall/models"
)

// correctionsColumns are what is read of a record, in the order of its places.
const correctionsColumns = `o.cid, o.gdc_id, o.source_id, o.name, o.dob, o.birth_year, o.category, o.categories, o.institution, o.sentence, o.status,
 o.release_date, o.release_projected, o.parole_end_date, o.first_seen, o.last_seen, o.last_change`

// correctionsTable reads corrections records.
var correctionsTable = records[models.CorrectionsRecord]{
	table: table{
		family: models.Corrections, name: "published_corrections", reachable: "reachable_corrections", versions: "reachable_corrections_versions",
		alias: "o", key: "cid", columns: correctionsColumns,
	},
	keyOf: func(o *models.CorrectionsRecord) int64 { return o.CID },
	places: func(o *models.CorrectionsRecord, _ func(**models.County) any) []any {
		return []any{
			&o.CID, &o.GdcID, &o.SourceID, &o.Name, &o.Dob, &o.BirthYear, &o.Category, &o.Categories, &o.Institution, &o.Sentence, &o.Status,
			&o.ReleaseDate, &o.ReleaseDateProjected, &o.ParoleEndDate, &o.FirstSeen, &o.LastSeen, &o.LastChange,
		}
	},
	complete: func(o *models.CorrectionsRecord) {
		inZone(time.UTC, &o.FirstSeen, &o.LastSeen, &o.LastChange)
		o.BirthYear = birthYear(o.Dob, o.BirthYear)
	},
}
