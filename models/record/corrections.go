package record

import (
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// correctionsColumns are what correctionsRow scans, in order, and what GORM reads of a record.
const correctionsColumns = `o.cid, o.gdc_id, o.source_id, o.name, o.dob, o.birth_year, o.category, o.categories, o.institution, o.sentence, o.status,
 o.release_date, o.release_projected, o.parole_end_date, o.first_seen, o.last_seen, o.last_change`

// correctionsRow is a row of correctionsColumns for pgx, all null on a page past the end.
type correctionsRow struct {
	cid                                 *int64
	gdc, source, name, category, status *string
	dob, release, paroleEnd             *models.Date
	birthYear                           *int16
	categories                          []models.Category
	institution, sentence               *string
	projected                           *bool
	firstSeen, lastSeen, lastChange     *time.Time
}

// targets are the places for Scan, in the order of correctionsColumns.
func (r *correctionsRow) targets() []any {
	return []any{
		&r.cid, &r.gdc, &r.source, &r.name, &r.dob, &r.birthYear, &r.category, &r.categories, &r.institution, &r.sentence, &r.status,
		&r.release, &r.projected, &r.paroleEnd, &r.firstSeen, &r.lastSeen, &r.lastChange,
	}
}

// record returns the record, or nil for a row of nulls.
func (r *correctionsRow) record() *models.CorrectionsRecord {
	if r.cid == nil {
		return nil
	}
	return &models.CorrectionsRecord{
		CID: *r.cid, GdcID: *r.gdc, SourceID: *r.source, Name: *r.name, Dob: r.dob, BirthYear: birthYear(r.dob, db.Year(r.birthYear)),
		Category: models.Category(*r.category), Categories: r.categories, Institution: r.institution, Sentence: r.sentence,
		Status: models.CorrectionsStatus(*r.status), ReleaseDate: r.release, ReleaseDateProjected: *r.projected, ParoleEndDate: r.paroleEnd,
		FirstSeen: r.firstSeen.UTC(), LastSeen: r.lastSeen.UTC(), LastChange: r.lastChange.UTC(),
	}
}

// correctionsAt is a record and the generation that it is of, as GORM scans them.
type correctionsAt struct {
	Gen int64
	models.CorrectionsRecord
}

// correctionsFrom reads the records that q finds by GORM, and the generation that they are of, if q reads it.
func correctionsFrom(q *gorm.DB) (found []*models.CorrectionsRecord, gen int64, err error) {
	var rows []*correctionsAt
	if err := q.Scan(&rows).Error; err != nil {
		return nil, 0, err
	}
	gen = db.AnyGeneration
	found = make([]*models.CorrectionsRecord, len(rows))
	for i, r := range rows {
		r.BirthYear = birthYear(r.Dob, r.BirthYear)
		found[i], gen = &r.CorrectionsRecord, r.Gen
	}
	return found, gen, nil
}

// scanCorrections reads rows of extra columns followed by correctionsColumns, and closes rows.
func scanCorrections(rows pgx.Rows, extra ...any) ([]*models.CorrectionsRecord, error) {
	defer rows.Close()
	var out []*models.CorrectionsRecord
	for rows.Next() {
		var r correctionsRow
		if err := rows.Scan(append(append(make([]any, 0, len(extra)+17), extra...), r.targets()...)...); err != nil {
			return nil, err
		}
		if o := r.record(); o != nil {
			out = append(out, o)
		}
	}
	return out, rows.Err()
}
