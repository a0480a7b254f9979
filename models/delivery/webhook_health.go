package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// backlogColumns sum deliveries d up; $1 is now.
const backlogColumns = `count(*) filter (where d.state = 'pending' and d.next_attempt <= $1), count(*) filter (where d.state = 'pending' and d.next_attempt > $1),
 count(*) filter (where d.state = 'failed'), min(d.next_attempt) filter (where d.next_attempt <= $1), max(d.next_attempt) filter (where d.state = 'pending' and d.next_attempt > $1)`

// BacklogsOf sums up what is under way to registrations of the account, by registration.
func (s *Store) BacklogsOf(ctx context.Context, accountID string, webhookIDs []string) (map[string]models.Backlog, error) {
	return s.backlogs(ctx, `select d.webhook_id, `+backlogColumns+` from deliveries d where d.account_id = $2 and d.webhook_id = any($3) and d.state in ('pending', 'failed') group by 1`, accountID, webhookIDs)
}

// AccountBacklog sums up what is under way of one account.
func (s *Store) AccountBacklog(ctx context.Context, accountID string) (models.Backlog, error) {
	all, err := s.backlogs(ctx, `select d.account_id, `+backlogColumns+` from deliveries d where d.account_id = $2 and d.state in ('pending', 'failed') group by 1`, accountID)
	return all[accountID], err
}

// AccountBacklogs sums up what is under way, by account; those with nothing are left out.
func (s *Store) AccountBacklogs(ctx context.Context) (map[string]models.Backlog, error) {
	return s.backlogs(ctx, `select d.account_id, `+backlogColumns+` from deliveries d where d.state in ('pending', 'failed') group by 1`)
}

func (s *Store) backlogs(ctx context.Context, sql string, args ...any) (map[string]models.Backlog, error) {
	rows, err := s.Pool().Query(ctx, sql, append([]any{s.Now().UTC()}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	out := map[string]models.Backlog{}
	var (
		of string
		b  models.Backlog
	)
	_, err = pgx.ForEachRow(rows, []any{&of, &b.Waiting, &b.Delayed, &b.Retrying, &b.OldestDue, &b.DelayedUntil}, func() error {
		b.OldestDue, b.DelayedUntil = utcOf(b.OldestDue), utcOf(b.DelayedUntil)
		out[of] = b
		b = models.Backlog{}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	return out, nil
}

func utcOf(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := t.UTC()
	return &at
}
