package delivery

import (
	"context"
	"fmt"

	"rollcall/models"
)

// DeliveryBacklog counts for metrics. It reads deliveries under way only.
func (s *Store) DeliveryBacklog(ctx context.Context) (*models.DeliveryBacklog, error) {
	var b models.DeliveryBacklog
	err := s.Pool().QueryRow(ctx, `select d.pending, d.failed, d.oldest, w.failing, w.disabled from
 (select count(*) filter (where state = 'pending') pending, count(*) filter (where state = 'failed') failed,
   min(next_attempt) filter (where next_attempt <= $1) oldest from deliveries where state in ('pending', 'failed')) d,
 (select count(*) filter (where failing_since is not null) failing, count(*) filter (where status = 'disabled') disabled from webhooks where deleted_at is null) w`,
		s.Now()).Scan(&b.Pending, &b.Failed, &b.Oldest, &b.Failing, &b.Disabled)
	if err != nil {
		return nil, fmt.Errorf("count deliveries under way: %w", err)
	}
	return &b, nil
}
