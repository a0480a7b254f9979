package source

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// QuarantineCounts gives what waits in quarantine of a source, most rows first. The rows' text stays sealed.
func (s *Store) QuarantineCounts(ctx context.Context, sourceID string) ([]models.QuarantineCount, error) {
	rows, err := s.Pool().Query(ctx, `select field, reason, count(*), max(last_at), sum(times), bool_or(awaits_number is not null) from quarantine
 where source_id = $1 and resolved_at is null and expires_at > $2 group by 1, 2 order by 3 desc, 1, 2 limit 100`, sourceID, s.Now())
	if err != nil {
		return nil, fmt.Errorf("read quarantine: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[models.QuarantineCount])
	if err != nil {
		return nil, fmt.Errorf("read quarantine: %w", err)
	}
	return all, nil
}

// QuarantineSizes gives how many different rows of each source wait in quarantine for an operator; a source without any is
// not among them, nor are rows that only wait for their court case.
func (s *Store) QuarantineSizes(ctx context.Context) (map[string]int, error) {
	rows, err := s.Pool().Query(ctx, `select source_id, count(*) from quarantine where resolved_at is null and awaits_number is null and expires_at > $1 group by 1`, s.Now())
	if err != nil {
		return nil, fmt.Errorf("count quarantine: %w", err)
	}
	out := map[string]int{}
	var id string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&id, &n}, func() error { out[id] = n; return nil })
	if err != nil {
		return nil, fmt.Errorf("count quarantine: %w", err)
	}
	return out, nil
}
