package alert

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
	"rollcall/models/db/column"
)

// HitsOn returns the account's hits on each of some bookings by key, models.MaxPersonHits of each at most.
func (s *Store) HitsOn(ctx context.Context, accountID string, rids []int64) (map[int64][]*models.Hit, error) {
	var found []*models.Hit
	args := pgx.StrictNamedArgs{"account": accountID, "rids": column.Array[int64](rids), "each": models.MaxPersonHits}
	if err := db.Raw(s.rows(ctx), statements, "hits_on_bookings", args).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("read hits on bookings: %w", err)
	}
	out := make(map[int64][]*models.Hit, len(rids))
	for _, h := range round(found) {
		out[h.RID] = append(out[h.RID], h)
	}
	return out, nil
}

// NewestHits returns the hits of lists, newest first, models.MaxPersonHits at most.
func NewestHits(lists ...[]*models.Hit) []*models.Hit {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b *models.Hit) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	return all[:min(len(all), models.MaxPersonHits)]
}
