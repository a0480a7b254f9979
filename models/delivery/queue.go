package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// claimLook is how many due deliveries one claim looks at. Those of webhooks in Except do not count.
const claimLook = 1024

// claimSQL takes the longest waiting first. It looks without locks, shares out among webhooks, and
// locks what it picked; what another process took in between no longer fulfils the conditions then.
const claimSQL = `with look as (
  select id, webhook_id, next_attempt from deliveries
  where state in ('pending', 'failed') and next_attempt <= $1 and (leased_until is null or leased_until <= $1) and webhook_id <> all($2)
  order by next_attempt limit $3
), shared as (
  select id from (select id, next_attempt, row_number() over (partition by webhook_id order by next_attempt, id) as place from look) r
  where place <= $4 order by next_attempt, id limit $5
), picked as (
  select id from deliveries where id in (select id from shared)
  and state in ('pending', 'failed') and next_attempt <= $1 and (leased_until is null or leased_until <= $1)
  for update skip locked
)
update deliveries d set leased_until = $6, leased_by = $7 from picked p where d.id = p.id
returning d.id, d.webhook_id, (select count(*) from look) = $3 or (select count(*) from look) > (select count(*) from shared)`

// ClaimDeliveries takes deliveries that are due. more says that others may be due as well.
func (s *Store) ClaimDeliveries(ctx context.Context, q models.ClaimQuery) (claims []models.DeliveryClaim, more bool, err error) {
	now := s.Now()
	var b pgx.Batch
	relaxed(&b)
	// Planned with its values each time: a plan for any values may sort all deliveries that are due.
	b.Queue(`select set_config('plan_cache_mode', 'force_custom_plan', true)`)
	b.Queue(claimSQL, now, append([]string{}, q.Except...), claimLook, q.Each, q.Most, now.Add(q.Lease), q.By).Query(func(rows pgx.Rows) error {
		var c models.DeliveryClaim
		_, err := pgx.ForEachRow(rows, []any{&c.ID, &c.WebhookID, &more}, func() error {
			claims = append(claims, c)
			return nil
		})
		return err
	})
	if err := s.Pool().SendBatch(ctx, &b).Close(); err != nil {
		return nil, false, fmt.Errorf("claim deliveries: %w", err)
	}
	return claims, more, nil
}

// relaxed lets a batch commit without waiting for the disk. It is for leases only: one that a crash
// of the database forgets has ended, which is always safe.
func relaxed(b *pgx.Batch) { b.Queue(`select set_config('synchronous_commit', 'off', true)`) }

// NextDelivery gives when the next delivery after now is due. ok is false when none is.
func (s *Store) NextDelivery(ctx context.Context) (at time.Time, ok bool, err error) {
	var next *time.Time
	err = s.Pool().QueryRow(ctx, `select min(next_attempt) from deliveries where state in ('pending', 'failed') and next_attempt > $1`, s.Now()).Scan(&next)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read next delivery: %w", err)
	}
	if next == nil {
		return time.Time{}, false, nil
	}
	return *next, true, nil
}

// RenewDeliveries prolongs claims of a process.
func (s *Store) RenewDeliveries(ctx context.Context, by string, ids []string, lease time.Duration) error {
	return s.lease(ctx, "renew claims of deliveries", by, ids, s.Now().Add(lease))
}

// ReleaseDeliveries gives claims back; rest keeps everybody from taking them again at once.
func (s *Store) ReleaseDeliveries(ctx context.Context, by string, ids []string, rest time.Duration) error {
	return s.lease(ctx, "give deliveries back", by, ids, s.Now().Add(rest))
}

func (s *Store) lease(ctx context.Context, action, by string, ids []string, until time.Time) error {
	var b pgx.Batch
	relaxed(&b)
	b.Queue(`update deliveries d set leased_until = $3 from (
 select id from deliveries where id = any($1) and leased_by = $2 and state in ('pending', 'failed') order by id for update) held
 where d.id = held.id`, ids, by, until)
	if err := s.Pool().SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

// LoadDeliveries reads deliveries that the process still holds; those that it no longer holds, or
// that are final by now, are left out. A test goes to a paused or disabled registration too.
func (s *Store) LoadDeliveries(ctx context.Context, by string, ids []string) ([]*models.QueuedDelivery, error) {
	rows, err := s.Pool().Query(ctx, `select d.id, d.account_id, d.webhook_id, d.message_id, w.url, d.body, d.match, d.event_id is null, s.current, s.next,
 d.state, d.round, d.failures, d.next_attempt, d.created_at, w.failing_since,
 case when w.deleted_at is not null or a.deleted_at is not null then 'cancelled' when d.event_id is null then ''
  when `+db.SealedDelivery+` then 'sealed'
  when w.status = 'disabled' then 'disabled' when w.paused then 'paused' when a.id is null then ''
  when a.paused and not `+OwedSQL+` then 'paused' when `+DismissedSQL+` and not `+OwedSQL+` then 'dismissed' else '' end
 from deliveries d join webhooks w on w.id = d.webhook_id left join watchers a on a.id = d.watcher_id
 left join webhook_secrets s on s.account_id = d.account_id
 where d.id = any($1) and d.leased_by = $2 and d.state in ('pending', 'failed')`, ids, by)
	if err != nil {
		return nil, fmt.Errorf("read claimed deliveries: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*models.QueuedDelivery, error) {
		var d models.QueuedDelivery
		return &d, row.Scan(&d.ID, &d.AccountID, &d.WebhookID, &d.MessageID, &d.URL, &d.Body, &d.Match, &d.Test, &d.Secret, &d.NextSecret,
			&d.State, &d.Round, &d.Failures, &d.Due, &d.CreatedAt, &d.FailingSince, &d.Drop)
	})
	if err != nil {
		return nil, fmt.Errorf("read claimed deliveries: %w", err)
	}
	return all, nil
}
