package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// UsageHour counts an account's requests in one hour.
type UsageHour struct {
	Hour     time.Time // its start, UTC
	Requests int       // answered
	Limited  int       // refused with 429
}

// Usage is how much of its request limit an account has used.
type Usage struct {
	Limit        int         // requests a minute; 0: unlimited
	Remaining    int         // requests that would be answered now; 2147483647 when unlimited
	ResetSeconds int         // whole seconds, rounded up, until Remaining grows; 0 when nothing is counted
	LastDay      []UsageHour // 24 hours, oldest first, quiet ones too; the last is the running one
}

// UsageCount is what one process has counted for an account in an hour since it last said so.
type UsageCount struct {
	AccountID string
	Hour      time.Time
	Requests  int64
	Limited   int64
}

// AddUsage adds counts to the hours that they belong to.
func (s *Store) AddUsage(ctx context.Context, counts []UsageCount) error {
	var b pgx.Batch
	for _, c := range counts {
		b.Queue(`insert into usage_hours as u (account_id, hour, requests, limited) values ($1, $2, $3, $4)
 on conflict (account_id, hour) do update set requests = u.requests + excluded.requests, limited = u.limited + excluded.limited`,
			c.AccountID, c.Hour.UTC(), c.Requests, c.Limited)
	}
	if err := s.pool.SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("record usage: %w", err)
	}
	return nil
}

// UsageOf gives an account's hours from since on that saw requests, oldest first.
func (s *Store) UsageOf(ctx context.Context, accountID string, since time.Time) ([]UsageHour, error) {
	rows, err := s.pool.Query(ctx, `select hour, requests, limited from usage_hours where account_id = $1 and hour >= $2 order by hour`, accountID, since)
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (UsageHour, error) {
		var h UsageHour
		err := r.Scan(&h.Hour, &h.Requests, &h.Limited)
		h.Hour = h.Hour.UTC()
		return h, err
	})
}
