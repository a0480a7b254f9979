package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// AddUsage adds counts to the hours that they belong to.
func (s *Store) AddUsage(ctx context.Context, counts []models.UsageCount) error {
	var b pgx.Batch
	for _, c := range counts {
		b.Queue(`insert into usage_hours as u (account_id, hour, requests, limited) values ($1, $2, $3, $4)
 on conflict (account_id, hour) do update set requests = u.requests + excluded.requests, limited = u.limited + excluded.limited`,
			c.AccountID, c.Hour.UTC(), c.Requests, c.Limited)
	}
	if err := s.Pool().SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("record usage: %w", err)
	}
	return nil
}

// UsageOf gives an account's hours from since on that saw requests, oldest first.
func (s *Store) UsageOf(ctx context.Context, accountID string, since time.Time) ([]models.UsageHour, error) {
	rows, err := s.Pool().Query(ctx, `select hour, requests, limited from usage_hours where account_id = $1 and hour >= $2 order by hour`, accountID, since)
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (models.UsageHour, error) {
		var h models.UsageHour
		err := r.Scan(&h.Hour, &h.Requests, &h.Limited)
		h.Hour = h.Hour.UTC()
		return h, err
	})
}
