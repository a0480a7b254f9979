package models

import (
	"context"
	"fmt"
	"time"
)

// HoldSource stops a source by an operator's word: what it brings is kept raw and not applied, until
// it is released. The note says why; it holds no personal data.
func (s *Store) HoldSource(ctx context.Context, id, note string, now time.Time) error {
	tag, err := s.pool.Exec(ctx, `update sources set held_since = coalesce(held_since, $2), note = $3 where id = $1`, id, now, note)
	if err != nil {
		return fmt.Errorf("hold source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return NotFound("there is no source " + id)
	}
	return nil
}

// ReleaseSource lets a held or refused source go on: its next snapshot is taken without looking at how
// many rows and which columns the last one had, and a source that was left alone is asked again.
func (s *Store) ReleaseSource(ctx context.Context, id string) error {
	tag, err := s.pool.Exec(ctx, `update sources set held_since = null, refused_since = null, last_rows = null, header_print = null, note = null,
 failures = 0, not_before = null where id = $1`, id)
	if err != nil {
		return fmt.Errorf("release source %s: %w", id, err)
	}
	if tag.RowsAffected() == 0 {
		return NotFound("there is no source " + id)
	}
	return nil
}
