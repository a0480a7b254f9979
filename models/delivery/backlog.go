package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// DeliveryBacklog counts what is under way of all accounts, for metrics. It reads deliveries under way only,
// so it costs little however many there are in all.
func (s *Store) DeliveryBacklog(ctx context.Context) (*models.DeliveryBacklog, error) {
	var b models.DeliveryBacklog
	if err := db.Raw(s.rows(ctx), statements, "delivery_backlog", pgx.StrictNamedArgs{"now": s.Now()}).Scan(&b).Error; err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	return &b, nil
}

// Delay is how long webhooks waited for their first attempt, over all accounts.
type Delay struct {
	Deliveries  int      // that it is about
	Median, P95 *float64 // in seconds; nil without deliveries
}

// DeliveryDelay returns the delay of the newest deliveries since an instant, 2,000 at most.
func (s *Store) DeliveryDelay(ctx context.Context, since time.Time) (*Delay, error) {
	var d Delay
	if err := db.Raw(s.rows(ctx), statements, "delivery_delay", pgx.StrictNamedArgs{"since": since}).Scan(&d).Error; err != nil {
		return nil, fmt.Errorf("read delay of deliveries: %w", err)
	}
	return &d, nil
}

// BacklogsOf returns what is under way to endpoints of the account, by endpoint. Those with nothing are left
// out.
func (s *Store) BacklogsOf(ctx context.Context, accountID string, webhookIDs []string) (map[string]models.Backlog, error) {
	return s.backlogs(ctx, pgx.StrictNamedArgs{"by_account": false, "account": accountID, "webhooks": append([]string{}, webhookIDs...)})
}

// AccountBacklog returns what is under way of one account; the zero value is nothing.
func (s *Store) AccountBacklog(ctx context.Context, accountID string) (models.Backlog, error) {
	all, err := s.backlogs(ctx, pgx.StrictNamedArgs{"by_account": true, "account": accountID, "webhooks": nil})
	return all[accountID], err
}

// AccountBacklogs returns what is under way, by account. Accounts with nothing are left out.
func (s *Store) AccountBacklogs(ctx context.Context) (map[string]models.Backlog, error) {
	return s.backlogs(ctx, pgx.StrictNamedArgs{"by_account": true, "account": nil, "webhooks": nil})
}

// backlogs runs the statement of all three. Arguments that are nil do not narrow.
func (s *Store) backlogs(ctx context.Context, args pgx.StrictNamedArgs) (map[string]models.Backlog, error) {
	args["now"] = s.Now().UTC()
	sql, values := statements.Bind(ctx, "backlogs", args)
	var sums []struct {
		Of string // an account or a webhook
		models.Backlog
	}
	// Planned with its values each time: a plan for any values reads what is under way of everybody.
	err := s.rows(ctx).Raw(sql, append([]any{pgx.QueryExecModeCacheDescribe}, values...)...).Scan(&sums).Error
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	out := make(map[string]models.Backlog, len(sums))
	for _, b := range sums {
		out[b.Of] = b.Backlog
	}
	return out, nil
}
