package record

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/models"
	"rollcall/models/db/column"
)

// CourtCasesByNumber returns every published case with exactly that number, latest filed first; none is an
// empty list. A number is unique only within county and court. A number of a merged case finds the case that
// stayed. county (a slug) narrows when not nil. With asOf it returns the cases that the number named at that
// instant, as they were published then, and only those that were.
//
// The list is the caller's; the cases are shared and must not be changed, unless asOf is set.
func (s *Store) CourtCasesByNumber(ctx context.Context, number string, county *string, asOf *time.Time) ([]*models.CourtCase, error) {
	if err := models.PlainText("case_number", number); err != nil {
		return nil, err
	}
	n := numbered{number: asStored(number)}
	if county != nil && *county != "" {
		c, err := s.Counties().BySlug(*county)
		if err != nil {
			return nil, err
		}
		n.county = c.ID
	}
	if asOf != nil {
		return s.casesByNumberAsOf(ctx, n, *asOf)
	}
	found, _, err := s.kept.caseNumbers.One(ctx, n, func(ctx context.Context, _ []numbered) (map[numbered][]*models.CourtCase, int64, error) {
		list, err := s.readCasesByNumber(ctx, n)
		return map[numbered][]*models.CourtCase{n: list}, 0, err
	})
	return slices.Clone(found), err
}

// numbered selects the cases with a number, in a county by id or in all for 0.
type numbered struct {
	number string
	county int16
}

// readCasesByNumber reads the cases with a number, and those that a case with it was merged into.
func (s *Store) readCasesByNumber(ctx context.Context, n numbered) ([]*models.CourtCase, error) {
	q := courtTable.published(ctx, s, s.Now()).
		Where("c.id in (select coalesce(g.merged_into, g.id) from reachable_cases g where g.case_number = ?)", n.number)
	if n.county != 0 {
		q = q.Where("c.county_id = ?", n.county)
	}
	found, _, err := courtTable.find(q.Order("c.filed_date desc, c.county_id, c.id"))
	if err != nil {
		return nil, fmt.Errorf("read cases of a number: %w", err)
	}
	return found, nil
}

// CourtCaseByID returns the published case with an id that CourtCase.ID made, or the one that it was merged
// into; otherwise CodeNotFound. An id with the right key and another county is not found either.
func (s *Store) CourtCaseByID(ctx context.Context, id string) (*models.CourtCase, error) {
	none := models.NotFound("there is no court case with this id")
	_, key, ok := models.ParseCaseID(id)
	if !ok {
		return nil, none
	}
	found, err := s.CourtCasesByKeys(ctx, []int64{key})
	if err != nil {
		return nil, err
	}
	// An id holds county and key. One whose county does not fit was never given out.
	if c := found[key]; c != nil && c.ID() == id {
		return c, nil
	}
	_, key, merged, err := s.mergedInto(ctx, models.Courts, id)
	if err != nil {
		return nil, err
	}
	if merged {
		if found, err = s.CourtCasesByKeys(ctx, []int64{key}); err != nil {
			return nil, err
		}
	}
	if !merged || found[key] == nil {
		return nil, none
	}
	return found[key], nil
}

// HearingsOf returns the hearings of cases by key, in the order of time; cancelled ones are left out. The
// values are shared.
func (s *Store) HearingsOf(ctx context.Context, keys []int64) (map[int64][]*models.Hearing, error) {
	return s.kept.hearings.Read(ctx, keys, s.readHearings)
}

// readHearings reads what HearingsOf caches.
func (s *Store) readHearings(ctx context.Context, keys []int64) (map[int64][]*models.Hearing, int64, error) {
	var rows []*models.HearingRow
	err := s.rows(ctx).Select("case_id", "date", "time", "starts_at", "judge", "location", "link").
		Where("case_id = any (?) and not cancelled", column.Array[int64](keys)).Order("case_id, starts_at, id").Find(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("read hearings: %w", err)
	}
	out := make(map[int64][]*models.Hearing, len(keys))
	for _, r := range rows {
		out[r.CaseKey] = append(out[r.CaseKey], &r.Hearing)
	}
	return out, 0, nil
}

// DispositionsOf returns the dispositions of cases by key, by date and then in the order of the source. The
// values are shared.
func (s *Store) DispositionsOf(ctx context.Context, keys []int64) (map[int64][]*models.Disposition, error) {
	return s.kept.dispositions.Read(ctx, keys, s.readDispositions)
}

// readDispositions reads what DispositionsOf caches.
func (s *Store) readDispositions(ctx context.Context, keys []int64) (map[int64][]*models.Disposition, int64, error) {
	var rows []*models.DispositionRow
	err := s.rows(ctx).Select("case_id", "date", "outcome", "sentence").Where("case_id = any (?)", column.Array[int64](keys)).
		Order("case_id, date, seq").Find(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("read dispositions: %w", err)
	}
	out := make(map[int64][]*models.Disposition, len(keys))
	for _, r := range rows {
		out[r.CaseKey] = append(out[r.CaseKey], &r.Disposition)
	}
	return out, 0, nil
}

// OneCourtCase returns the published case with an id that CourtCase.ID made, or with a number that only one
// case has, in the county (a slug) when that is not nil. No case is CodeNotFound. Several are a models.Error
// on case, whose message lists their ids.
func (s *Store) OneCourtCase(ctx context.Context, numberOrID string, county *string) (*models.CourtCase, error) {
	// A number may begin like an id, so one that is no id is looked for as a number.
	if strings.HasPrefix(numberOrID, "case-") {
		if c, err := s.CourtCaseByID(ctx, numberOrID); err == nil {
			return c, nil
		}
	}
	found, err := s.CourtCasesByNumber(ctx, numberOrID, county, nil)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, models.NotFound("court case not found")
	case len(found) > 1:
		ids := make([]string, len(found))
		for i, c := range found {
			ids[i] = c.ID()
		}
		return nil, models.Invalid("case", "several cases have this number; give one of the ids "+strings.Join(ids, ", "))
	}
	return found[0], nil
}

// asStored returns a case number as rows have it: blanks at its ends are none, and several are one (ingest/value, Squeeze).
func asStored(number string) string { return strings.Join(strings.Fields(number), " ") }
