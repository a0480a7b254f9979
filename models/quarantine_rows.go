package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// WaitingRow is a row in quarantine; Sealed is its raw text, encrypted.
type WaitingRow struct {
	Run, Line     int64
	Field, Reason string
	Times         int // how often it came
	Last          time.Time
	Sealed        []byte
}

// WaitingRows gives rows of a source that wait in quarantine, the latest first.
func (s *Store) WaitingRows(ctx context.Context, sourceID string, limit int) ([]WaitingRow, error) {
	rows, err := s.pool.Query(ctx, `select run_id, line, field, reason, times, last_at, sealed from quarantine
 where source_id = $1 and resolved_at is null and expires_at > $2 order by last_at desc, line limit $3`, sourceID, s.now(), limit)
	if err != nil {
		return nil, fmt.Errorf("list quarantine of %s: %w", sourceID, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[WaitingRow])
	if err != nil {
		return nil, fmt.Errorf("list quarantine of %s: %w", sourceID, err)
	}
	return all, nil
}
