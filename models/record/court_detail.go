package record

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// CourtCasesByNumber gives every published case with exactly that number, latest filed first; a
// number is unique only within county and court. A number that went with a merge gives the case that
// stayed. county (a slug) narrows when not nil; asOf gives the cases that the number named at an instant, as
// they were published then, and only those that were.
func (s *Store) CourtCasesByNumber(ctx context.Context, number string, county *string, asOf *time.Time) ([]*models.CourtCase, error) {
	if err := models.PlainText("case_number", number); err != nil {
		return nil, err
	}
	n := numbered{number: strings.TrimSpace(number)}
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

// numbered are the cases with a number, in a county by id or in all for 0.
type numbered struct {
	number string
	county int16
}

// readCasesByNumber reads the cases with a number, and those that a case with it was merged into.
func (s *Store) readCasesByNumber(ctx context.Context, n numbered) ([]*models.CourtCase, error) {
	args, cond := []any{n.number, s.Now()}, ""
	if n.county != 0 {
		args, cond = append(args, n.county), " and c.county_id = $3"
	}
	rows, err := s.Pool().Query(ctx, `select `+fmt.Sprintf(courtColumns, "$2")+` from court_cases c
 where c.withheld is null and c.id in (select id from court_cases where case_number = $1 union all
  select m.record from court_cases g join merged_records m on m.family = 'courts' and m.gone = g.id where g.case_number = $1 and g.withheld = '`+models.Merged+`')`+cond+` order by c.filed_date desc, c.county_id, c.id`, args...)
	if err != nil {
		return nil, err
	}
	return scanCourtCases(rows, s.Counties())
}

// CourtCaseByID gives the published case of an id that CourtCase.ID made, or the one that it was merged into.
func (s *Store) CourtCaseByID(ctx context.Context, id string) (*models.CourtCase, error) {
	none := models.NotFound("there is no court case with this id")
	_, key, ok := models.ParseCaseID(id)
	if !ok {
		return nil, none
	}
	found, _, err := s.courtCasesByKey(ctx, []int64{key}, db.AnyGeneration)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && found[0].ID() == id {
		return found[0], nil
	}
	key, merged, err := s.mergedInto(ctx, models.Courts, id)
	if err != nil {
		return nil, err
	}
	if merged {
		if found, _, err = s.courtCasesByKey(ctx, []int64{key}, db.AnyGeneration); err != nil {
			return nil, err
		}
	}
	if !merged || len(found) == 0 {
		return nil, none
	}
	return found[0], nil
}

// HearingsOf gives the hearings of cases by key, ascending; cancelled ones are left out.
func (s *Store) HearingsOf(ctx context.Context, keys []int64) (map[int64][]*models.Hearing, error) {
	return s.kept.hearings.Read(ctx, keys, s.readHearings)
}

func (s *Store) readHearings(ctx context.Context, keys []int64) (map[int64][]*models.Hearing, int64, error) {
	rows, err := s.Pool().Query(ctx, `select case_id, date, time, starts_at, judge, location, link from hearings
 where case_id = any($1) and not cancelled order by case_id, starts_at, id`, keys)
	if err != nil {
		return nil, 0, err
	}
	out := make(map[int64][]*models.Hearing, len(keys))
	_, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (struct{}, error) {
		var key int64
		var h models.Hearing
		err := r.Scan(&key, &h.Date, &h.Time, &h.StartsAt, &h.Judge, &h.Location, &h.ZoomLink)
		h.StartsAt = h.StartsAt.In(models.Georgia)
		out[key] = append(out[key], &h)
		return struct{}{}, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read hearings: %w", err)
	}
	return out, 0, nil
}

// DispositionsOf gives the dispositions of cases by key, by date.
func (s *Store) DispositionsOf(ctx context.Context, keys []int64) (map[int64][]*models.Disposition, error) {
	return s.kept.dispositions.Read(ctx, keys, s.readDispositions)
}

func (s *Store) readDispositions(ctx context.Context, keys []int64) (map[int64][]*models.Disposition, int64, error) {
	rows, err := s.Pool().Query(ctx, `select case_id, date, outcome, sentence from dispositions
 where case_id = any($1) order by case_id, date, seq`, keys)
	if err != nil {
		return nil, 0, err
	}
	out := make(map[int64][]*models.Disposition, len(keys))
	_, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (struct{}, error) {
		var key int64
		var d models.Disposition
		err := r.Scan(&key, &d.Date, &d.Outcome, &d.Sentence)
		out[key] = append(out[key], &d)
		return struct{}{}, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read dispositions: %w", err)
	}
	return out, 0, nil
}

// OneCourtCase gives the published case of an id that CourtCase.ID made, or of a number that only one
// case has, in the county (a slug) when that is not nil.
func (s *Store) OneCourtCase(ctx context.Context, numberOrID string, county *string) (*models.CourtCase, error) {
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
