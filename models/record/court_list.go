package record

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// courtSeek is the position of a cursor in the list of cases: day of filing, case number, number of the
// county and key of the last case.
type courtSeek struct {
	Filed  string `json:"f"`
	Number string `json:"n"`
	County int16  `json:"c"`
	ID     int64  `json:"i"`
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

// numbered reports whether a case number narrows the list. The list index does not hold numbers, so SQL
// answers then.
func (q *courtQuery) numbered() bool {
	return q.filter.CaseNumber != nil || q.filter.CaseNumberStart != nil
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
		if len(strings.TrimSpace(*f.CaseNumberStart)) < leastStart {
			return q, models.Invalid("case_number_start", "the beginning of a case number has at least three characters")
		}
	}
	var err error
	q.words, q.named, err = nameWords(f.Name)
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
	more, ok := false, false
	if p.After == "" && !q.numbered() {
		out.Total, more, ok, err = s.indexed(ctx, models.Courts, q.index(p), func(keys []int64, gen int64) (_ int64, err error) {
			out.Records, gen, err = s.courtCasesByKey(ctx, keys, gen)
			return gen, err
		})
	}
	if !ok && err == nil {
		more, err = s.listCourtCasesSQL(ctx, q, p, out)
	}
	if err != nil {
		return nil, err
	}
	out.PageInfo.HasNextPage = more
	if n := len(out.Records); n > 0 {
		last := out.Records[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(string(models.Courts), courtSeek{Filed: last.FiledDate.String(), Number: last.CaseNumber, County: last.County.ID, ID: last.Key})
		}
	}
	return out, nil
}

// index converts the query for the list index.
func (q *courtQuery) index(p models.Page) models.IndexQuery {
	iq := models.IndexQuery{Words: q.words, Since: since(q.filter.UpdatedSince), Offset: p.Offset, Limit: p.Limit}
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

// courtCasesByKey returns cases in the order of keys and the generation of the courts that they are of, which
// is gen unless there is a newer one.
func (s *Store) courtCasesByKey(ctx context.Context, keys []int64, gen int64) ([]*models.CourtCase, int64, error) {
	found, gen, err := s.kept.cases.ReadAt(ctx, keys, gen, s.readCourtCases)
	return db.InOrder(found, keys), gen, err
}

// readCourtCases reads cases by key and the generation of the courts in one statement, by pgx as readBookings
// does.
func (s *Store) readCourtCases(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, int64, error) {
	rows, err := s.Pool().Query(ctx, courtTable.byKey(), keys, s.Now())
	if err != nil {
		return nil, 0, err
	}
	var gen int64
	found, err := scanCourtCases(rows, s.Counties(), &gen)
	if err != nil {
		return nil, 0, err
	}
	return db.ByKey(found, func(c *models.CourtCase) int64 { return c.Key }), gen, nil
}

// CourtCasesByKeys returns published cases by internal key; others are left out. The values are shared:
// callers must not change them.
func (s *Store) CourtCasesByKeys(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, error) {
	return s.kept.cases.Read(ctx, keys, s.loadCourtCases)
}

// loadCourtCases is readCourtCases by GORM, for loaders.
func (s *Store) loadCourtCases(ctx context.Context, keys []int64) (map[int64]*models.CourtCase, int64, error) {
	found, gen, err := casesFrom(courtTable.byKeys(ctx, s, keys))
	if err != nil {
		return nil, 0, fmt.Errorf("read court cases: %w", err)
	}
	return db.ByKey(found, func(c *models.CourtCase) int64 { return c.Key }), gen, nil
}

// listCourtCasesSQL answers the list in SQL alone and fills out. The condition of a cursor is written out
// because its order mixes descending and ascending columns, which no comparison of rows can express.
func (s *Store) listCourtCasesSQL(ctx context.Context, q courtQuery, p models.Page, out *models.CourtPage) (more bool, err error) {
	l := list{
		table: courtTable, carry: "c.filed_date, c.case_number, c.county_id", order: "c.filed_date desc, c.case_number, c.county_id, c.id",
		page: p, named: q.named, now: s.Now(),
	}
	q.conditions(&l.where)
	if !q.named && q.filter.UpdatedSince == nil && !q.numbered() {
		l.total = q.total(&l.where)
	}
	if p.After != "" {
		var at courtSeek
		if err := s.OpenCursor(string(models.Courts), p.After, &at); err != nil {
			return false, err
		}
		filed := l.where.Bind(at.Filed)
		l.seek.Parts = append(l.seek.Parts, fmt.Sprintf(
			"c.filed_date <= %[1]s::text::date and (c.filed_date < %[1]s::text::date or (c.case_number, c.county_id, c.id) > (%s, %s, %s))",
			filed, l.where.Bind(at.Number), l.where.Bind(at.County), l.where.Bind(at.ID)))
	}
	out.Records = []*models.CourtCase{}
	out.Total, err = l.run(ctx, s, func(rows pgx.Rows, total *int64) error {
		var r courtRow
		if err := rows.Scan(append([]any{total}, r.targets()...)...); err != nil {
			return err
		}
		if k := r.courtCase(s.Counties()); k != nil {
			out.Records = append(out.Records, k)
		}
		return nil
	})
	if len(out.Records) > p.Limit {
		out.Records, more = out.Records[:p.Limit], true
	}
	return more, err
}

// conditions writes the filter as SQL. It must select what index selects.
func (q *courtQuery) conditions(c *db.Condition) {
	f := q.filter
	if f.CaseNumber != nil {
		c.Add("c.case_number = ?", strings.TrimSpace(*f.CaseNumber))
	}
	if f.CaseNumberStart != nil { // a range, which the index on the number answers; its order is that of bytes
		start := strings.TrimSpace(*f.CaseNumberStart)
		c.Add("c.case_number >= ? and c.case_number < ?", start, start+string(utf8.MaxRune))
	}
	if q.county != nil {
		c.Add("c.county_id = ?", q.county.ID)
	}
	if f.CourtType != nil {
		c.Add("c.court_type = ?", string(*f.CourtType))
	}
	if f.Status != nil {
		c.Add("c.status = ?", string(*f.Status))
	}
	if f.KnownStatus {
		c.Add("c.status <> 'unknown'")
	}
	if f.UpdatedSince != nil {
		c.Add("c.last_change >= ?", *f.UpdatedSince)
	}
	if q.named {
		c.AddName("c.name_key", q.words)
	}
}

// total is the SQL of the exact total from the counters, by county, court and status.
func (q *courtQuery) total(c *db.Condition) string {
	t := db.Condition{Args: c.Args}
	if q.county != nil {
		t.Add("county_id = ?", q.county.ID)
	}
	if q.filter.CourtType != nil {
		t.Add("court_type = ?", string(*q.filter.CourtType))
	}
	if q.filter.Status != nil {
		t.Add("status = ?", string(*q.filter.Status))
	}
	if q.filter.KnownStatus {
		t.Add("status <> 'unknown'")
	}
	c.Args = t.Args
	return "select coalesce(sum(n), 0) from court_totals where " + t.String()
}
