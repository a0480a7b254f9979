package record

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"rollcall/models"
	"rollcall/models/db"
)

// courtSeek is the position of a cursor in the list of cases: day of filing, case number, number of the
// county and key of the last case.
type courtSeek struct {
	Filed  models.Date `json:"f"`
	Number string      `json:"n"`
	County int16       `json:"c"`
	ID     int64       `json:"i"`
}

// courtQuery is a filter made ready: slug resolved, name folded. named is true if there is a name filter.
type courtQuery struct {
	filter models.CourtFilter
	// county is nil for all counties.
	county *models.County
	// words are the folded words of the name.
	words []string
	named bool
}

// leastStart is the shortest beginning of a case number that is searched, in bytes. A shorter one, such as a
// year's first digits, would match much of a county.
const leastStart = 3

// leastPart is the shortest part of a case number that is searched, in bytes: a year is a part of every number of the year.
const leastPart = 4

// numbered reports whether a case number narrows the list. The list index does not hold numbers, so SQL
// answers then.
func (q *courtQuery) numbered() bool {
	return q.filter.CaseNumber != nil || q.filter.CaseNumberStart != nil || q.filter.CaseNumberPart != nil
}

// courtQuery checks and converts a filter. An unknown county, and texts that no number or name can have, are
// models.Error.
func (s *Store) courtQuery(f models.CourtFilter) (courtQuery, error) {
	q := courtQuery{filter: f}
	if f.County != nil && *f.County != "" {
		c, err := s.Counties().BySlug(*f.County)
		if err != nil {
			return q, err
		}
		q.county = c
	}
	if f.CaseNumber != nil {
		if err := models.PlainText("case_number", *f.CaseNumber); err != nil {
			return q, err
		}
	}
	if f.CaseNumberStart != nil {
		if err := models.PlainText("case_number_start", *f.CaseNumberStart); err != nil {
			return q, err
		}
		// The search reads a range of the index on numbers; a short beginning would read much of it.
		if len(asStored(*f.CaseNumberStart)) < leastStart {
			return q, models.Invalid("case_number_start", "enter at least the first three characters of the case number")
		}
	}
	if f.CaseNumberPart != nil {
		if err := models.PlainText("case_number_part", *f.CaseNumberPart); err != nil {
			return q, err
		}
		if len(asStored(*f.CaseNumberPart)) < leastPart {
			return q, models.Invalid("case_number_part", "enter at least four characters of the case number")
		}
	}
	var err error
	q.words, q.named, err = db.NameWords(f.Name)
	return q, err
}

// ListCourtCases returns one page of cases, latest filed first (then case number and county ascending), with
// the exact total of the same snapshot. The list index answers as in ListBookings, but SQL alone knows case
// numbers. A case number is trimmed; several cases may have it, in other counties or courts. Filters and
// cursors out of range are models.Error.
func (s *Store) ListCourtCases(ctx context.Context, f models.CourtFilter, p models.Page) (*models.CourtPage, error) {
	q, err := s.courtQuery(f)
	if err != nil {
		return nil, err
	}
	out := &models.CourtPage{County: f.County, Limit: p.Limit, Offset: p.Offset, Records: []*models.CourtCase{}}
	if q.named && len(q.words) == 0 {
		return out, nil
	}
	if p, err = s.openOrder(models.Courts, p, q.named); err != nil {
		return nil, err
	}
	at, err := openSeek[courtSeek](s, models.Courts, p)
	if err != nil {
		return nil, err
	}
	more, ok := false, false
	if !q.numbered() {
		out.Total, more, ok, err = s.indexed(ctx, models.Courts, q.index(p, at), func(keys []int64, gen int64) (_ int64, err error) {
			out.Records, gen, err = s.courtCasesByKey(ctx, keys, gen)
			return gen, err
		})
	}
	if !ok && err == nil {
		out.Records, out.Total, more, err = s.courtList(ctx, q, p, at).read(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	out.PageInfo.HasNextPage = more
	switch n := len(out.Records); {
	case n == 0:
	case p.Order != models.OrderOwn:
		out.PageInfo.End = s.sealOrder(models.Courts, p, n)
	default:
		last := out.Records[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(string(models.Courts), courtSeek{Filed: last.FiledDate, Number: last.CaseNumber, County: last.County.ID, ID: last.Key})
		}
	}
	return out, nil
}

// index converts the query for the list index.
func (q *courtQuery) index(p models.Page, at *courtSeek) models.IndexQuery {
	iq := models.IndexQuery{Words: q.words, Since: since(q.filter.UpdatedSince), Offset: p.Offset, Limit: p.Limit, Closest: p.Order == models.OrderRelevance}
	if at != nil { // as the statement index_courts writes it
		tie := fmt.Sprintf("%s\x01%03d%019d", at.Number, at.County, at.ID)
		iq.After = &models.IndexPlace{Order: at.Filed.In(time.UTC).Unix() / secondsOfDay, Tie: tie}
	}
	if q.county != nil {
		iq.Facets[0] = q.county.ID
	}
	if q.filter.CourtType != nil {
		iq.Facets[1] = facet(courtTypes, *q.filter.CourtType)
	}
	if q.filter.Status != nil {
		iq.Facets[2] = facet(courtStatuses, *q.filter.Status)
	}
	if q.filter.KnownStatus {
		iq.Facets[2] = knownFacet(iq.Facets[2])
	}
	return iq
}

// secondsOfDay converts an instant to days.
const secondsOfDay = 24 * 60 * 60

// courtCasesByKey returns cases in the order of keys and the generation of the courts that they are of, which
// is gen unless there is a newer one.
func (s *Store) courtCasesByKey(ctx context.Context, keys []int64, gen int64) ([]*models.CourtCase, int64, error) {
	found, gen, err := s.kept.cases.ReadAt(ctx, keys, gen, courtTable.loadPage(s))
	return db.InOrder(found, keys), gen, err
}

// CourtCasesByKeys returns published cases by internal key; others are left out. The values are shared:
// callers must not change them.
func (s *Store) CourtCasesByKeys(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, error) {
	return s.kept.cases.Read(ctx, keys, courtTable.load(s))
}

// courtList is the page of a list in SQL. The condition of a cursor is written out because its order mixes
// descending and ascending columns, which no comparison of rows can express.
func (s *Store) courtList(ctx context.Context, q courtQuery, p models.Page, at *courtSeek) *list[models.CourtCase] {
	l := &list[models.CourtCase]{
		records: &courtTable, carry: "c.filed_date, c.case_number, c.county_id", order: "c.filed_date desc, c.case_number, c.county_id, c.id",
		where: q.where, page: p, words: q.words, ahead: "true",
	}
	if !q.named && q.filter.UpdatedSince == nil && !q.numbered() {
		l.total = q.counted(s.rows(ctx).Table("court_totals").Select(countersSum))
	}
	if at != nil {
		l.seek = &seek{
			"c.filed_date <= ? and (c.filed_date < ? or (c.case_number, c.county_id, c.id) > (?, ?, ?))",
			[]any{at.Filed, at.Filed, at.Number, at.County, at.ID},
		}
	}
	return l
}

// where narrows cases to those that the filter selects. It must select what index selects.
func (q *courtQuery) where(on *gorm.DB) *gorm.DB {
	on = q.counted(on)
	if q.filter.CaseNumber != nil {
		on = on.Where("case_number = ?", asStored(*q.filter.CaseNumber))
	}
	if q.filter.CaseNumberStart != nil { // a range, which the index on the number answers; its order is that of bytes
		start := asStored(*q.filter.CaseNumberStart)
		on = on.Where("case_number >= ? and case_number < ?", start, start+string(utf8.MaxRune))
	}
	if q.filter.CaseNumberPart != nil {
		on = on.Where(`case_number like ?`, "%"+literally.Replace(asStored(*q.filter.CaseNumberPart))+"%")
	}
	if q.filter.UpdatedSince != nil {
		on = on.Where("last_change >= ?", *q.filter.UpdatedSince)
	}
	if q.named {
		on = db.NameHasParts("name_key", q.words)(on)
	}
	return on
}

// literally quotes what has a meaning in a pattern of LIKE.
var literally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// counted is the part of where by which the counters are kept: county, court and status.
func (q *courtQuery) counted(on *gorm.DB) *gorm.DB {
	if q.county != nil {
		on = on.Where("county_id = ?", q.county.ID)
	}
	if q.filter.CourtType != nil {
		on = on.Where("court_type = ?", *q.filter.CourtType)
	}
	if q.filter.Status != nil {
		on = on.Where("status = ?", *q.filter.Status)
	}
	if q.filter.KnownStatus {
		on = on.Where("status <> 'unknown'")
	}
	return on
}
