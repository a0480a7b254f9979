package source

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// WaitingRows gives rows of a source that wait in quarantine, the latest first.
func (s *Store) WaitingRows(ctx context.Context, sourceID string, limit int) ([]models.WaitingRow, error) {
	rows, err := s.Pool().Query(ctx, `select run_id, line, field, reason, times, last_at, sealed from quarantine
 where source_id = $1 and resolved_at is null and expires_at > $2 order by last_at desc, line limit $3`, sourceID, s.Now(), limit)
	if err != nil {
		return nil, fmt.Errorf("list quarantine of %s: %w", sourceID, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.WaitingRow])
	if err != nil {
		return nil, fmt.Errorf("list quarantine of %s: %w", sourceID, err)
	}
	return all, nil
}
