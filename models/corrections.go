package models

import (
	"time"

	"github.com/jackc/pgx/v5"
)

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

// CorrectionsRecord is a record of the state corrections department.
type CorrectionsRecord struct {
	CID                  int64
	GdcID                string
	SourceID             string
	Name                 string
	Dob                  *Date
	BirthYear            *int
	Category             Category
	Categories           []Category // all that apply; Category is the first in the order sex_offender, parolee, offender
	Institution          *string
	Sentence             *string // human-readable length
	Status               CorrectionsStatus
	ReleaseDate          *Date
	ReleaseDateProjected bool // ReleaseDate has not come yet
	ParoleEndDate        *Date
	FirstSeen            time.Time
	LastSeen             time.Time // changed; [Store.LastSeenOf] tells when at all
	LastChange           time.Time
	PastAt               *time.Time // the instant that the record was asked for; nil: now
}

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

const correctionsColumns = `o.cid, o.gdc_id, o.source_id, o.name, o.dob, o.birth_year, o.category, o.categories, o.institution, o.sentence, o.status,
 o.release_date, o.release_projected, o.parole_end_date, o.first_seen, o.last_seen, o.last_change, o.name_key`

// correctionsRow takes a row of correctionsColumns, all null on a page past the end.
type correctionsRow struct {
	cid                                 *int64
	gdc, source, name, category, status *string
	dob, release, paroleEnd             *Date
	birthYear                           *int16
	categories                          []Category
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

func (r *correctionsRow) record() *CorrectionsRecord {
	if r.cid == nil {
		return nil
	}
	o := &CorrectionsRecord{
		CID: *r.cid, GdcID: *r.gdc, SourceID: *r.source, Name: *r.name, Dob: r.dob, BirthYear: year(r.birthYear),
		Category: Category(*r.category), Categories: r.categories, Institution: r.institution, Sentence: r.sentence,
		Status: CorrectionsStatus(*r.status), ReleaseDate: r.release, ReleaseDateProjected: *r.projected, ParoleEndDate: r.paroleEnd,
		FirstSeen: r.firstSeen.UTC(), LastSeen: r.lastSeen.UTC(), LastChange: r.lastChange.UTC(),
	}
	if o.BirthYear == nil && o.Dob != nil {
		o.BirthYear = &o.Dob.Year
	}
	return o
}

func scanCorrections(rows pgx.Rows, extra ...any) ([]*CorrectionsRecord, error) {
	defer rows.Close()
	var out []*CorrectionsRecord
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
