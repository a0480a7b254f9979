package alert

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models/db"
)

// expireWindow is how many consecutive numbers of a table one statement looks at, so that none locks long.
const expireWindow = 5000

// Retention is how long what alerts leave behind is kept; 0 is the default.
type Retention struct {
	Deliveries time.Duration // bodies and attempts, after the delivery was made; and changes that nobody watched
	Events     time.Duration // events and hits of watchers, after that and after the end of the booking
}

// Defaults of Retention: a quarter of a year to look at deliveries and send them again, and two years in which an account
// that was notified of a record is also notified that it is withheld.
const (
	KeepDeliveries = 90 * 24 * time.Hour
	KeepEvents     = 730 * 24 * time.Hour
)

// Expired counts what ExpireAlerts deleted.
type Expired struct{ Deliveries, Events, Changes int64 }

// ExpireAlerts deletes what is older than keep, in statements that lock little, and returns what it deleted.
// Zero durations in keep are KeepDeliveries and KeepEvents. It keeps whatever still decides
// something:
//   - deliveries that are not final, and events with a delivery;
//   - the events of a stay that goes on, so that a booking event is not made twice;
//   - hits with feedback, so that a dismissed person stays dismissed;
//   - the last change of each source, so that its next state is noticed.
func (s *Store) ExpireAlerts(ctx context.Context, keep Retention) (out Expired, err error) {
	keep.Deliveries, keep.Events = cmp.Or(keep.Deliveries, KeepDeliveries), cmp.Or(keep.Events, KeepEvents)
	now := s.Now().UTC()
	sent, told := now.Add(-keep.Deliveries), now.Add(-keep.Events)
	if out.Deliveries, err = s.expireDeliveries(ctx, sent); err != nil {
		return out, err
	}
	if out.Events, err = s.expireWindows(ctx, "span_of_events", "expire_events", told); err != nil {
		return out, err
	}
	if out.Changes, err = s.expireWindows(ctx, "span_of_changes", "expire_changes", sent); err != nil {
		return out, err
	}
	_, err = s.expireWindows(ctx, "span_of_batches", "expire_batches", sent)
	return out, err
}

// expireDeliveries deletes final deliveries that were made before then, with their attempts, in batches.
// Those that a sender holds are left for the next time.
func (s *Store) expireDeliveries(ctx context.Context, then time.Time) (n int64, err error) {
	for {
		tag, err := s.Pool().Exec(ctx, statements.Get("expire_deliveries"), pgx.NamedArgs{"before": then, "batch": db.ExpireBatch})
		if err != nil {
			return n, fmt.Errorf("expire deliveries: %w", err)
		}
		if n += tag.RowsAffected(); tag.RowsAffected() < db.ExpireBatch {
			return n, nil
		}
	}
}

// expireWindows runs the statement expire over a table, window by window of its ascending numbers. span
// returns the lowest and highest number. Rows that are kept are looked at once each run.
func (s *Store) expireWindows(ctx context.Context, span, expire string, then time.Time) (n int64, err error) {
	var low, high int64
	if err := s.Pool().QueryRow(ctx, statements.Get(span)).Scan(&low, &high); err != nil {
		return 0, fmt.Errorf("read %s: %w", span, err)
	}
	for ; low < high; low += expireWindow {
		var gone int64
		err := s.Pool().QueryRow(ctx, statements.Get(expire), pgx.NamedArgs{"before": then, "low": low, "high": low + expireWindow}).Scan(&gone)
		if err != nil {
			return n, fmt.Errorf("%s: %w", expire, err)
		}
		n += gone
	}
	return n, nil
}
