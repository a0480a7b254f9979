package delivery

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// claimLook is how many due deliveries one claim looks at. Those of endpoints in ClaimQuery.Except do not
// count, so a big backlog of a slow endpoint does not hide the others.
const claimLook = 1024

// ClaimDeliveries leases deliveries that are due, those due longest first, shared out among endpoints. more
// reports whether others may be due as well. A claim whose lease ends without a recorded attempt is due
// again, so a crash loses no delivery (docs/decisions/0005-delivery-queue.md).
func (s *Store) ClaimDeliveries(ctx context.Context, q models.ClaimQuery) (claims []models.DeliveryClaim, more bool, err error) {
	now := s.Now()
	var b pgx.Batch
	relaxed(&b)
	// Planned with its values each time: a plan for any values may sort all deliveries that are due.
	b.Queue(`select set_config('plan_cache_mode', 'force_custom_plan', true)`)
	b.Queue(statements.Get("claim_deliveries"), pgx.NamedArgs{
		"now": now, "way": cmp.Or(q.Way, models.ByWebhook), "except": append([]string{}, q.Except...), "look": claimLook, "each": q.Each, "most": q.Most, "until": now.Add(q.Lease), "by": q.By,
	}).Query(func(rows pgx.Rows) error {
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

// relaxed lets a batch commit without waiting for the disk. It is for leases only: one that a crash of the
// database forgets has ended, which is always safe.
func relaxed(b *pgx.Batch) { b.Queue(`select set_config('synchronous_commit', 'off', true)`) }

// NextDelivery returns when the next delivery of a way after now is due. ok is false when none is. A sender sleeps
// until then.
func (s *Store) NextDelivery(ctx context.Context, way models.Way) (at time.Time, ok bool, err error) {
	var next []time.Time
	err = s.rows(ctx).Table("deliveries").Where("way = ? and state in ('pending', 'failed') and next_attempt > ?", way, s.Now()).
		Order("next_attempt").Limit(1).Pluck("next_attempt", &next).Error
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read next delivery: %w", err)
	}
	if len(next) == 0 {
		return time.Time{}, false, nil
	}
	return next[0], true, nil
}

// RenewDeliveries prolongs the leases that the process by holds on ids.
func (s *Store) RenewDeliveries(ctx context.Context, by string, ids []string, lease time.Duration) error {
	return s.lease(ctx, "renew claims of deliveries", by, ids, s.Now().Add(lease))
}

// ReleaseDeliveries returns leased deliveries to the queue without an attempt; no process takes them again
// before rest has passed.
func (s *Store) ReleaseDeliveries(ctx context.Context, by string, ids []string, rest time.Duration) error {
	return s.lease(ctx, "return deliveries to the queue", by, ids, s.Now().Add(rest))
}

// lease sets the end of leases that by holds. Deliveries that it no longer holds are left alone.
func (s *Store) lease(ctx context.Context, action, by string, ids []string, until time.Time) error {
	var b pgx.Batch
	relaxed(&b)
	b.Queue(statements.Get("lease_deliveries"), pgx.NamedArgs{"ids": ids, "by": by, "until": until})
	if err := s.Pool().SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

// LoadDeliveries reads, right before sending, deliveries that the process by still holds. Those that it no
// longer holds, or that are final by now, are left out. Drop says why one must not be attempted: its watcher
// may have been paused, or its record withheld, since it was claimed. A test delivery goes to a paused or
// disabled endpoint too.
func (s *Store) LoadDeliveries(ctx context.Context, by string, ids []string) (all []*models.QueuedDelivery, err error) {
	args := pgx.StrictNamedArgs{"ids": ids, "by": by}
	if err := db.Raw(s.rows(ctx), statements, "load_deliveries", args).Scan(&all).Error; err != nil {
		return nil, fmt.Errorf("read claimed deliveries: %w", err)
	}
	return all, nil
}
