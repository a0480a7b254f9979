package record

import (
	"context"

	"gorm.io/gorm"

	"rollcall/match"
	"rollcall/models"
	"rollcall/models/db"
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
	if q.words, q.named, err = db.NameWords(f.Name); err != nil {
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

	if p, err = s.openOrder(models.Corrections, p, q.named); err != nil {
		return nil, err
	}
	at, err := openSeek[correctionsSeek](s, models.Corrections, p)
	if err != nil {
		return nil, err
	}
	more, ok := false, false
	if f.GdcID == nil {
		out.Total, more, ok, err = s.indexed(ctx, models.Corrections, q.index(p, at), func(keys []int64, gen int64) (_ int64, err error) {
			out.Records, gen, err = s.correctionsByKey(ctx, keys, gen)
			return gen, err
		})
	}
	if !ok && err == nil {
		out.Records, out.Total, more, err = s.correctionsList(ctx, q, p, at).read(ctx, s)
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
	switch n := len(out.Records); {
	case n == 0:
	case p.Order != models.OrderOwn:
		out.PageInfo.End = s.sealOrder(models.Corrections, p, n)
	default:
		last := out.Records[n-1]
		out.PageInfo.End = func() (string, error) {
			return s.SealCursor(string(models.Corrections), correctionsSeek{Name: match.SearchKey(last.Name), GdcID: last.GdcID})
		}
	}
	return out, nil
}

// index converts the query for the list index.
func (q *correctionsQuery) index(p models.Page, at *correctionsSeek) models.IndexQuery {
	iq := models.IndexQuery{
		Words: q.words, Since: since(q.filter.UpdatedSince), Offset: p.Offset, Limit: p.Limit,
		Closest: p.Order == models.OrderRelevance, Ahead: [3]int16{1: facet(correctionsStatuses, models.Incarcerated)},
	}
	if at != nil { // as the statement index_corrections writes it
		iq.After = &models.IndexPlace{Tie: at.Name + "\x01" + at.GdcID}
	}
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
	found, gen, err := s.kept.corrections.ReadAt(ctx, keys, gen, correctionsTable.loadPage(s))
	return db.InOrder(found, keys), gen, err
}

// correctionsList is the page of a list in SQL.
func (s *Store) correctionsList(ctx context.Context, q correctionsQuery, p models.Page, at *correctionsSeek) *list[models.CorrectionsRecord] {
	l := &list[models.CorrectionsRecord]{
		records: &correctionsTable, carry: "o.name_key, o.gdc_id", order: "o.name_key, o.gdc_id", where: q.where, page: p, words: q.words,
		ahead: "o.status = 'incarcerated'",
	}
	if !q.named && q.filter.UpdatedSince == nil && q.filter.GdcID == nil {
		l.total = q.counted(s.rows(ctx).Table("corrections_totals").Select(countersSum))
	}
	if at != nil {
		l.seek = &seek{"(o.name_key, o.gdc_id) > (?, ?)", []any{at.Name, at.GdcID}}
	}
	return l
}

// where narrows records to those that the filter selects. It must select what index selects.
func (q *correctionsQuery) where(on *gorm.DB) *gorm.DB {
	on = q.counted(on)
	if q.filter.GdcID != nil {
		on = on.Where("gdc_id = ?", *q.filter.GdcID)
	}
	if q.filter.UpdatedSince != nil {
		on = on.Where("last_change >= ?", *q.filter.UpdatedSince)
	}
	if q.named {
		on = db.NameHasParts("name_key", q.words)(on)
	}
	return on
}

// counted is the part of where by which the counters are kept: category and status.
func (q *correctionsQuery) counted(on *gorm.DB) *gorm.DB {
	if q.filter.Category != nil {
		on = on.Where("category = ?", *q.filter.Category)
	}
	if q.filter.Status != nil {
		on = on.Where("status = ?", *q.filter.Status)
	}
	if q.filter.KnownStatus {
		on = on.Where("status <> 'unknown'")
	}
	return on
}

// CorrectionsByGdcID returns the published record with that offender id, or the one that it was merged into.
// Otherwise it is CodeNotFound. The value is shared: callers must not change it.
func (s *Store) CorrectionsByGdcID(ctx context.Context, gdcID string) (*models.CorrectionsRecord, error) {
	if err := models.PlainText("gdc_id", gdcID); err != nil {
		return nil, err
	}
	read := correctionsTable.named(s, "o.gdc_id", func(o *models.CorrectionsRecord) string { return o.GdcID }, s.CorrectionsByKeys)
	o, ok, err := s.kept.gdcIDs.One(ctx, gdcID, read)
	if err == nil && !ok {
		err = models.NotFound("corrections record not found")
	}
	return o, err
}

// CorrectionsByKeys returns published records by internal key; others are left out. The values are shared.
func (s *Store) CorrectionsByKeys(ctx context.Context, keys []int64) (map[int64]*models.CorrectionsRecord, error) {
	return s.kept.corrections.Read(ctx, keys, correctionsTable.load(s))
}
