package claim

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// Merges lists the merges that are in force, newest first and limit at most, and returns how many there are in all.
func (s *Store) Merges(ctx context.Context, limit int) (list []models.MergeInForce, total int, err error) {
	var rows []struct {
		models.MergeInForce `gorm:"embedded"`
		Total               int
	}
	args := pgx.StrictNamedArgs{"limit": limit}
	if err := db.Raw(s.db.Gorm().WithContext(ctx), statements, "merges_in_force", args).Scan(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("list merges: %w", err)
	}
	for _, r := range rows {
		list, total = append(list, r.MergeInForce), r.Total
	}
	return list, total, nil
}
