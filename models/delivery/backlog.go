package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// DeliveryBacklog counts what is under way of all accounts, for metrics. It reads deliveries under way only,
// so it costs little however many there are in all.
func (s *Store) DeliveryBacklog(ctx context.Context) (*models.DeliveryBacklog, error) {
	rows, err := s.Pool().Query(ctx, statements.Get("delivery_backlog"), pgx.NamedArgs{"now": s.Now()})
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	b, err := pgx.CollectExactlyOneRow(rows, pgx.RowToAddrOfStructByName[models.DeliveryBacklog])
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	return b, nil
}

// BacklogsOf returns what is under way to endpoints of the account, by endpoint. Those with nothing are left
// out.
func (s *Store) BacklogsOf(ctx context.Context, accountID string, webhookIDs []string) (map[string]models.Backlog, error) {
	return s.backlogs(ctx, pgx.NamedArgs{"by_account": false, "account": accountID, "webhooks": append([]string{}, webhookIDs...)})
}

// AccountBacklog returns what is under way of one account; the zero value is nothing.
func (s *Store) AccountBacklog(ctx context.Context, accountID string) (models.Backlog, error) {
	all, err := s.backlogs(ctx, pgx.NamedArgs{"by_account": true, "account": accountID})
	return all[accountID], err
}

// AccountBacklogs returns what is under way, by account. Accounts with nothing are left out.
func (s *Store) AccountBacklogs(ctx context.Context) (map[string]models.Backlog, error) {
	return s.backlogs(ctx, pgx.NamedArgs{"by_account": true})
}

// backlogs runs the statement of all three. Arguments that are not given do not narrow.
func (s *Store) backlogs(ctx context.Context, args pgx.NamedArgs) (map[string]models.Backlog, error) {
	args["now"] = s.Now().UTC()
	// Planned with its values each time: a plan for any values reads what is under way of everybody.
	rows, err := s.Pool().Query(ctx, statements.Get("backlogs"), pgx.QueryExecModeCacheDescribe, args)
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	type sum struct {
		Of string // an account or a webhook
		models.Backlog
	}
	sums, err := pgx.CollectRows(rows, pgx.RowToStructByName[sum])
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	out := make(map[string]models.Backlog, len(sums))
	for _, b := range sums {
		b.OldestDue, b.DelayedUntil = utc(b.OldestDue), utc(b.DelayedUntil)
		out[b.Of] = b.Backlog
	}
	return out, nil
}

// utc is a time in UTC, or nil.
func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC())
}
