package claim

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/claim/internal/engine"
)

// Merges lists the merges that are in force, newest first and limit at most, and returns how many there are in all.
func (s *Store) Merges(ctx context.Context, limit int) (list []models.MergeInForce, total int, err error) {
	rows, err := s.db.Pool().Query(ctx, statements.Get("merges_in_force"), engine.Args{"limit": limit})
	if err != nil {
		return nil, 0, fmt.Errorf("list merges: %w", err)
	}
	list, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (m models.MergeInForce, err error) {
		err = r.Scan(&m.Family, &m.Gone, &m.Kept, &m.At, &m.Actor, &total)
		m.At = m.At.UTC()
		return m, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list merges: %w", err)
	}
	return list, total, nil
}
