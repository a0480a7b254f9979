package models

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// WebhookPatience is how long a registration may do nothing but fail before it is disabled (DECISIONS.md, "Webhooks").
const WebhookPatience = 5 * 24 * time.Hour

// Breaker tells how many attempts at once an endpoint gets. It never moves an attempt (DECISIONS.md, "Webhooks").
type Breaker string

// The states of a breaker.
const (
	BreakerClosed Breaker = "closed" // as many as the service makes at all
	BreakerNarrow Breaker = "narrow" // few: the last attempt failed
	BreakerOpen   Breaker = "open"   // none: the registration is disabled or paused
)

// Breaker is that of the registration.
func (h *Webhook) Breaker() Breaker {
	switch {
	case h.undeliverable() != nil:
		return BreakerOpen
	case h.FailingSince != nil:
		return BreakerNarrow
	}
	return BreakerClosed
}

// DisabledAfter is when the registration is disabled unless an attempt is taken before; nil while it works,
// and once it is.
func (h *Webhook) DisabledAfter() *time.Time {
	if h.FailingSince == nil || h.Status == WebhookDisabled {
		return nil
	}
	at := h.FailingSince.UTC().Add(WebhookPatience)
	return &at
}

// Backlog is what there is still to deliver, of an account or to a registration.
type Backlog struct {
	Waiting      int        // due, or on the wire, and not attempted yet
	Delayed      int        // not attempted yet, and held back by the account's flood limit
	Retrying     int        // failed, and to be tried again
	OldestDue    *time.Time // since when the longest waiting one is due, UTC; nil: none is
	DelayedUntil *time.Time // when the last delayed one is due, UTC; nil: none is delayed
}

// backlogColumns sum deliveries d up; $1 is now.
const backlogColumns = `count(*) filter (where d.state = 'pending' and d.next_attempt <= $1), count(*) filter (where d.state = 'pending' and d.next_attempt > $1),
 count(*) filter (where d.state = 'failed'), min(d.next_attempt) filter (where d.next_attempt <= $1), max(d.next_attempt) filter (where d.state = 'pending' and d.next_attempt > $1)`

// BacklogsOf sums up what is under way to registrations of the account, by registration.
func (s *Store) BacklogsOf(ctx context.Context, accountID string, webhookIDs []string) (map[string]Backlog, error) {
	return s.backlogs(ctx, `select d.webhook_id, `+backlogColumns+` from deliveries d where d.account_id = $2 and d.webhook_id = any($3) and d.state in ('pending', 'failed') group by 1`, accountID, webhookIDs)
}

// AccountBacklog sums up what is under way of one account.
func (s *Store) AccountBacklog(ctx context.Context, accountID string) (Backlog, error) {
	all, err := s.backlogs(ctx, `select d.account_id, `+backlogColumns+` from deliveries d where d.account_id = $2 and d.state in ('pending', 'failed') group by 1`, accountID)
	return all[accountID], err
}

// AccountBacklogs sums up what is under way, by account; those with nothing are left out.
func (s *Store) AccountBacklogs(ctx context.Context) (map[string]Backlog, error) {
	return s.backlogs(ctx, `select d.account_id, `+backlogColumns+` from deliveries d where d.state in ('pending', 'failed') group by 1`)
}

func (s *Store) backlogs(ctx context.Context, sql string, args ...any) (map[string]Backlog, error) {
	rows, err := s.pool.Query(ctx, sql, append([]any{s.now().UTC()}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	out := map[string]Backlog{}
	var (
		of string
		b  Backlog
	)
	_, err = pgx.ForEachRow(rows, []any{&of, &b.Waiting, &b.Delayed, &b.Retrying, &b.OldestDue, &b.DelayedUntil}, func() error {
		b.OldestDue, b.DelayedUntil = utcOf(b.OldestDue), utcOf(b.DelayedUntil)
		out[of] = b
		b = Backlog{}
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
