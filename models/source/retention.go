package source

import (
	"context"
	"fmt"
	"time"

	"rollcall/models/db"
)

// ExpireRaw deletes archived documents and quarantined rows whose time is over, and returns how many of each
// (guarantee 11 in docs/architecture.md). Reports of runs and records stay. A job calls it.
func (s *Store) ExpireRaw(ctx context.Context, now time.Time) (documents, rows int, err error) {
	if documents, err = s.expire(ctx, &Archive{}, now); err != nil {
		return documents, 0, fmt.Errorf("expire archives: %w", err)
	}
	if rows, err = s.expire(ctx, &QuarantineEntry{}, now); err != nil {
		return documents, rows, fmt.Errorf("expire quarantine: %w", err)
	}
	return documents, rows, nil
}

// expire deletes the rows of a model whose time is over, a batch at a time, so that no statement locks long.
func (s *Store) expire(ctx context.Context, model any, now time.Time) (n int, err error) {
	for {
		over := s.rows(ctx).Model(model).Select("id").Where("expires_at <= ?", now).Order("expires_at").Limit(db.ExpireBatch)
		r := s.rows(ctx).Where("id in (?)", over).Delete(model)
		if r.Error != nil {
			return n, r.Error
		}
		if n += int(r.RowsAffected); r.RowsAffected < db.ExpireBatch {
			return n, nil
		}
	}
}
