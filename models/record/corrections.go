package record

import (
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

const correctionsColumns = `o.cid, o.gdc_id, o.source_id, o.name, o.dob, o.birth_year, o.category, o.categories, o.institution, o.sentence, o.status,
 o.release_date, o.release_projected, o.parole_end_date, o.first_seen, o.last_seen, o.last_change, o.name_key`

// correctionsRow takes a row of correctionsColumns, all null on a page past the end.
type correctionsRow struct {
	cid                                 *int64
	gdc, source, name, category, status *string
	dob, release, paroleEnd             *models.Date
	birthYear                           *int16
	categories                          []models.Category
	institution, sentence, key          *string
	projected                           *bool
	firstSeen, lastSeen, lastChange     *time.Time
}

func (r *correctionsRow) targets() []any {
	return []any{
		&r.cid, &r.gdc, &r.source, &r.name, &r.dob, &r.birthYear, &r.category, &r.categories, &r.institution, &r.sentence, &r.status,
		&r.release, &r.projected, &r.paroleEnd, &r.firstSeen, &r.lastSeen, &r.lastChange, &r.key,
	}
}

func (r *correctionsRow) record() *models.CorrectionsRecord {
	if r.cid == nil {
		return nil
	}
	o := &models.CorrectionsRecord{
		CID: *r.cid, GdcID: *r.gdc, SourceID: *r.source, Name: *r.name, Dob: r.dob, BirthYear: db.Year(r.birthYear),
		Category: models.Category(*r.category), Categories: r.categories, Institution: r.institution, Sentence: r.sentence,
		Status: models.CorrectionsStatus(*r.status), ReleaseDate: r.release, ReleaseDateProjected: *r.projected, ParoleEndDate: r.paroleEnd,
		FirstSeen: r.firstSeen.UTC(), LastSeen: r.lastSeen.UTC(), LastChange: r.lastChange.UTC(),
	}
	if o.BirthYear == nil && o.Dob != nil {
		o.BirthYear = &o.Dob.Year
	}
	return o
}

func scanCorrections(rows pgx.Rows, extra ...any) ([]*models.CorrectionsRecord, error) {
	defer rows.Close()
	var out []*models.CorrectionsRecord
	for rows.Next() {
		var r correctionsRow
		if err := rows.Scan(append(append(make([]any, 0, len(extra)+18), extra...), r.targets()...)...); err != nil {
			return nil, err
		}
		if o := r.record(); o != nil {
			out = append(out, o)
		}
	}
	return out, rows.Err()
}
