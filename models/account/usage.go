package account

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// AddUsage adds counts to the hours that they belong to. Each process adds what it counted since its last
// call, so a count must be passed once only.
func (s *Store) AddUsage(ctx context.Context, counts []models.UsageCount) error {
	var (
		accounts          []string
		hours             []time.Time
		requests, limited []int64
	)
	for _, c := range counts {
		accounts, hours = append(accounts, c.AccountID), append(hours, c.Hour.UTC())
		requests, limited = append(requests, c.Requests), append(limited, c.Limited)
	}
	_, err := s.Pool().Exec(ctx, statements.Get("add_usage"), pgx.NamedArgs{"accounts": accounts, "hours": hours, "requests": requests, "limited": limited})
	if err != nil {
		return fmt.Errorf("record usage: %w", err)
	}
	return nil
}

// UsageOf returns an account's hours from since on, oldest first. Hours without a request are left out.
func (s *Store) UsageOf(ctx context.Context, accountID string, since time.Time) ([]models.UsageHour, error) {
	var all []models.UsageHour
	err := s.rows(ctx).Select("hour", "requests", "limited").Where("account_id = ? and hour >= ?", accountID, since.UTC()).Order("hour").Find(&all).Error
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return all, nil
}
