package record

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// correctionsSeek is the position of a cursor: the folded name and offender id of the last record of the
// page.
type correctionsSeek struct {
	Name  string `json:"n"`
	GdcID string `json:"g"`
}

// correctionsQuery is a filter made ready: the name folded into words. named is true if there is a name
// filter.
type correctionsQuery struct {
	filter models.CorrectionsFilter
	// words are the folded words of the name.
	words []string
	named bool
}

// ListCorrections returns one page by folded name, then gdc_id, with the exact total of the same snapshot. An
// offender id that was merged into another finds the record that stayed. Filters and cursors out of range are
// models.Error.
func (s *Store) ListCorrections(ctx context.Context, f models.CorrectionsFilter, p models.Page) (*models.CorrectionsPage, error) {
	q := correctionsQuery{filter: f}
	var err error
	if q.words, q.named, err = nameWords(f.Name); err != nil {
		return nil, err
	}
	if f.GdcID != nil {
		if err := models.PlainText("gdc_id", *f.GdcID); err != nil {
			return nil, err
		}
	}
	out := &models.CorrectionsPage{Limit: p.Limit, Offset: p.Offset, Records: []*models.CorrectionsRecord{}}
	if q.named && len(q.words) == 0 {
		return out, nil
	}

	more, ok := false, false
	if p.After == "" && f.GdcID == nil {
		out.Total, more, ok, err = s.indexed(ctx, models.Corrections, q.index(p), func(keys []int64, gen int64) (_ int64, err error) {
			out.Records, gen, err = s.correctionsByKey(ctx, keys, gen)
			return gen, err
		})
	}
	if !ok && err == nil {
		more, err = s.listCorrectionsSQL(ctx, q, p, out)
	}
	if err != nil {
		return nil, err
	}
	// Only a search that found nothing looks for merged ids. The list begins again under the id of the record
	// that stayed, with the other filters as they are.
	if out.Total == 0 && f.GdcID != nil {
		o, err := s.CorrectionsByGdcID(ctx, *f.GdcID)
		switch {
		case err != nil && models.CodeOf(err) != models.CodeNotFound:
			return nil, err
		case err == nil && o.GdcID != *f.GdcID: // it was merged
			f.GdcID = &o.GdcID
			return s.ListCorrections(ctx, f, p)
		}
	}
	out.PageInfo.HasNextPage = more
	if n := len(out.Records); n > 0 {
		last := out.Records[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(string(models.Corrections), correctionsSeek{Name: match.SearchKey(last.Name), GdcID: last.GdcID})
		}
	}
	return out, nil
}

// index converts the query for the list index.
func (q *correctionsQuery) index(p models.Page) models.IndexQuery {
	iq := models.IndexQuery{Words: q.words, Since: since(q.filter.UpdatedSince), Offset: p.Offset, Limit: p.Limit}
	if q.filter.Category != nil {
		iq.Facets[0] = facet(categories, *q.filter.Category)
	}
	if q.filter.Status != nil {
		iq.Facets[1] = facet(correctionsStatuses, *q.filter.Status)
	}
	if q.filter.KnownStatus {
		iq.Facets[1] = knownFacet(iq.Facets[1])
	}
	return iq
}

// correctionsByKey returns records in the order of keys and the generation of corrections that they are of,
// which is gen unless there is a newer one.
func (s *Store) correctionsByKey(ctx context.Context, keys []int64, gen int64) ([]*models.CorrectionsRecord, int64, error) {
	found, gen, err := s.kept.corrections.ReadAt(ctx, keys, gen, s.readCorrections)
	return db.InOrder(found, keys), gen, err
}

// readCorrections reads records by key and the generation of corrections in one statement, by pgx as
// readBookings does.
func (s *Store) readCorrections(ctx context.Context, keys []int64) (map[int64]*models.CorrectionsRecord, int64, error) {
	rows, err := s.Pool().Query(ctx, correctionsTable.byKey(), keys)
	if err != nil {
		return nil, 0, err
	}
	var gen int64
	found, err := scanCorrections(rows, &gen)
	if err != nil {
		return nil, 0, err
	}
	return db.ByKey(found, func(o *models.CorrectionsRecord) int64 { return o.CID }), gen, nil
}

// listCorrectionsSQL answers the list in SQL alone and fills out.
func (s *Store) listCorrectionsSQL(ctx context.Context, q correctionsQuery, p models.Page, out *models.CorrectionsPage) (more bool, err error) {
	l := list{table: correctionsTable, carry: "o.name_key, o.gdc_id", order: "o.name_key, o.gdc_id", page: p, named: q.named}
	q.conditions(&l.where)
	if !q.named && q.filter.UpdatedSince == nil && q.filter.GdcID == nil {
		l.total = q.total(&l.where)
	}
	if p.After != "" {
		var at correctionsSeek
		if err := s.OpenCursor(string(models.Corrections), p.After, &at); err != nil {
			return false, err
		}
		l.seek.Parts = append(l.seek.Parts, "(o.name_key, o.gdc_id) > ("+l.where.Bind(at.Name)+", "+l.where.Bind(at.GdcID)+")")
	}
	out.Records = []*models.CorrectionsRecord{}
	out.Total, err = l.run(ctx, s, func(rows pgx.Rows, total *int64) error {
		var r correctionsRow
		if err := rows.Scan(append([]any{total}, r.targets()...)...); err != nil {
			return err
		}
		if o := r.record(); o != nil {
			out.Records = append(out.Records, o)
		}
		return nil
	})
	if len(out.Records) > p.Limit {
		out.Records, more = out.Records[:p.Limit], true
	}
	return more, err
}

// conditions writes the filter as SQL. It must select what index selects.
func (q *correctionsQuery) conditions(c *db.Condition) {
	f := q.filter
	if f.GdcID != nil {
		c.Add("o.gdc_id = ?", *f.GdcID)
	}
	if f.Category != nil {
		c.Add("o.category = ?", string(*f.Category))
	}
	if f.Status != nil {
		c.Add("o.status = ?", string(*f.Status))
	}
	if f.KnownStatus {
		c.Add("o.status <> 'unknown'")
	}
	if f.UpdatedSince != nil {
		c.Add("o.last_change >= ?", *f.UpdatedSince)
	}
	if q.named {
		c.AddName("o.name_key", q.words)
	}
}

// total is the SQL of the exact total from the counters, by category and status. Its arguments follow those
// of the conditions.
func (q *correctionsQuery) total(c *db.Condition) string {
	t := db.Condition{Args: c.Args}
	if q.filter.Category != nil {
		t.Add("category = ?", string(*q.filter.Category))
	}
	if q.filter.Status != nil {
		t.Add("status = ?", string(*q.filter.Status))
	}
	if q.filter.KnownStatus {
		t.Add("status <> 'unknown'")
	}
	c.Args = t.Args
	return "select coalesce(sum(n), 0) from corrections_totals where " + t.String()
}

// CorrectionsByGdcID returns the published record with that offender id, or the one that it was merged into.
// Otherwise it is CodeNotFound. The value is shared: callers must not change it.
func (s *Store) CorrectionsByGdcID(ctx context.Context, gdcID string) (*models.CorrectionsRecord, error) {
	if err := models.PlainText("gdc_id", gdcID); err != nil {
		return nil, err
	}
	o, ok, err := s.kept.gdcIDs.One(ctx, gdcID, s.readCorrectionsByGdcID)
	if err == nil && !ok {
		err = models.NotFound("corrections record not found")
	}
	return o, err
}

// readCorrectionsByGdcID reads records by their offender ids, and those into which a record with such an id
// was merged.
func (s *Store) readCorrectionsByGdcID(ctx context.Context, ids []string) (map[string]*models.CorrectionsRecord, int64, error) {
	list, _, err := correctionsFrom(correctionsTable.rows(ctx, s, s.Now()).Where("o.gdc_id = any (?)", column.Array[string](ids)))
	if err != nil {
		return nil, 0, fmt.Errorf("read corrections records: %w", err)
	}
	found := db.ByKey(list, func(o *models.CorrectionsRecord) string { return o.GdcID })
	for _, id := range ids {
		if found[id] != nil {
			continue
		}
		_, key, merged, err := s.mergedInto(ctx, models.Corrections, id)
		if err != nil {
			return nil, 0, err
		}
		if !merged {
			continue
		}
		into, err := s.CorrectionsByKeys(ctx, []int64{key})
		if err != nil {
			return nil, 0, err
		}
		if o := into[key]; o != nil {
			found[id] = o
		}
	}
	return found, 0, nil
}

// CorrectionsByKeys returns published records by internal key; others are left out. The values are shared.
func (s *Store) CorrectionsByKeys(ctx context.Context, keys []int64) (map[int64]*models.CorrectionsRecord, error) {
	return s.kept.corrections.Read(ctx, keys, s.loadCorrections)
}

// loadCorrections is readCorrections by GORM, for loaders.
func (s *Store) loadCorrections(ctx context.Context, keys []int64) (map[int64]*models.CorrectionsRecord, int64, error) {
	found, gen, err := correctionsFrom(correctionsTable.byKeys(ctx, s, keys))
	if err != nil {
		return nil, 0, fmt.Errorf("read corrections records: %w", err)
	}
	return db.ByKey(found, func(o *models.CorrectionsRecord) int64 { return o.CID }), gen, nil
}
