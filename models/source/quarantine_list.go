package source

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"rollcall/models"
)

// QuarantineFilter narrows which rows in quarantine are listed. A zero field narrows nothing.
type QuarantineFilter struct {
	Source string    // id of a source
	County int16     // that the row states, or that its source is of
	Reason string    // a part of field and reason, in any letter case
	Since  time.Time // the row came at this instant or later
	// Earlier lists the rows of earlier files, which do not wait any more, instead of those that wait.
	Earlier bool
}

// QuarantineGroup is what the rows in quarantine of a source and county have in common that wait for one reason.
type QuarantineGroup struct {
	SourceID string
	CountyID *int16 // nil: not known
	Field    string // empty: the row as a whole
	Reason   string
	Rows     int       // different ones
	Times    int       // how often they came
	First    time.Time // when the first of them came for the first time
	Last     time.Time // when one of them came last
	Example  int64     // id of one of those that came last
}

// filtered narrows to the rows in quarantine that a filter lets through.
func (s *Store) filtered(ctx context.Context, f QuarantineFilter) *gorm.DB {
	q := s.waiting(ctx)
	if f.Earlier {
		q = s.earlier(ctx)
	}
	if f.Source != "" {
		q = q.Where("source_id = ?", f.Source)
	}
	if f.County != 0 {
		q = q.Where("county_id = ?", f.County)
	}
	if f.Reason != "" {
		q = q.Where("position(? in lower(concat_ws(': ', nullif(field, ''), reason))) > 0", strings.ToLower(f.Reason))
	}
	if !f.Since.IsZero() {
		q = q.Where("last_at >= ?", f.Since)
	}
	return q
}

// QuarantineGroups returns up to limit groups of rows in quarantine, the largest first, and how many rows and groups there are
// in all. The text of rows stays encrypted.
func (s *Store) QuarantineGroups(ctx context.Context, f QuarantineFilter, limit int) (list []QuarantineGroup, rows, groups int, err error) {
	grouped := s.filtered(ctx, f).
		Select("source_id, county_id, field, reason, count(*) as rows, sum(times) as times, min(at) as first, max(last_at) as last, max(id) as example").
		Group("source_id, county_id, field, reason")
	err = grouped.Session(&gorm.Session{}).Order("count(*) desc, source_id, county_id, field, reason").Limit(limit).Scan(&list).Error
	if err != nil {
		return nil, 0, 0, fmt.Errorf("list quarantine: %w", err)
	}
	var total struct{ Rows, Groups int }
	err = s.rows(ctx).Table("(?) as g", grouped).Select("coalesce(sum(rows), 0)::bigint as rows, count(*) as groups").Scan(&total).Error
	if err != nil {
		return nil, 0, 0, fmt.Errorf("count quarantine: %w", err)
	}
	return list, total.Rows, total.Groups, nil
}

// QuarantineRows returns up to limit rows in quarantine one by one, the latest first, and how many there are in all. Their text
// stays encrypted.
func (s *Store) QuarantineRows(ctx context.Context, f QuarantineFilter, limit int) (list []QuarantineEntry, rows int, err error) {
	var n int64
	q := s.filtered(ctx, f)
	if err := q.Session(&gorm.Session{}).Count(&n).Error; err != nil {
		return nil, 0, fmt.Errorf("count quarantine: %w", err)
	}
	if err := q.Omit("encrypted", "fingerprint").Order("last_at desc, id desc").Limit(limit).Find(&list).Error; err != nil {
		return nil, 0, fmt.Errorf("list quarantine: %w", err)
	}
	return list, int(n), nil
}

// QuarantineRow returns a row that is or was in quarantine, with its encrypted text. One that never was, or has expired, is
// CodeNotFound.
func (s *Store) QuarantineRow(ctx context.Context, id int64) (*QuarantineEntry, error) {
	var row QuarantineEntry
	err := s.rows(ctx).Take(&row, "id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, models.NotFound(fmt.Sprintf("there is no row %d in quarantine; it may have expired", id))
	}
	if err != nil {
		return nil, fmt.Errorf("read quarantine: %w", err)
	}
	return &row, nil
}
