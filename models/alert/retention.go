package alert

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"rollcall/models"
	"rollcall/models/db"
)

// expireWindow is how many numbers of a table one statement looks at.
const expireWindow = 5000

// ExpireAlerts deletes what is over, in statements that lock little. It keeps whatever still decides something: deliveries
// that are not final, the events of a stay that goes on (a booking is told once), hits with a verdict (who is dismissed
// stays so), and how each source stood last.
func (s *Store) ExpireAlerts(ctx context.Context, keep models.AlertRetention) (out models.ExpiredAlerts, err error) {
	keep.Deliveries, keep.Events = cmp.Or(keep.Deliveries, models.KeepDeliveries), cmp.Or(keep.Events, models.KeepEvents)
	now := s.Now().UTC()
	sent, told := now.Add(-keep.Deliveries), now.Add(-keep.Events)
	if out.Deliveries, err = s.expireDeliveries(ctx, sent); err != nil {
		return out, err
	}
	out.Events, err = s.expireByNumber(ctx, "events", "seq", `with gone as (
  delete from events e where e.seq > $2 and e.seq <= $3 and e.at < $1
   and not exists (select from deliveries d where d.event_id = e.id)
   and not exists (select from events x where x.retracts = e.id and x.at >= $1)
   and not exists (select from bookings b where b.rid = e.rid and (b.released_at is null or b.released_at >= $1))
  returning e.id, e.hit_id
 ), hits_gone as (
  delete from hits h using gone g where h.id = g.hit_id and h.verdict is null
   and not exists (select from events e where e.hit_id = h.id and not exists (select from gone o where o.id = e.id))
 ) select count(*) from gone`, told)
	if err != nil {
		return out, err
	}
	out.Changes, err = s.expireByNumber(ctx, "changes", "id", `with gone as (
  delete from changes c where c.id > $2 and c.id <= $3 and c.detected_at < $1 and c.matched_at is not null
   and not exists (select from events e where e.change_id = c.id)
   and not exists (select from changes t where t.retracts = c.id)
   and (c.rid is not null or c.id < (select max(n.id) from changes n where n.source_id = c.source_id and n.rid is null))
  returning c.id
 ) select count(*) from gone`, sent)
	if err != nil {
		return out, err
	}
	_, err = s.expireByNumber(ctx, "change_batches", "id", `with gone as (
  delete from change_batches b where b.id > $2 and b.id <= $3 and b.detected_at < $1 and not exists (select from changes c where c.batch_id = b.id) returning b.id
 ) select count(*) from gone`, sent)
	return out, err
}

// expireDeliveries deletes final deliveries that were made before then, with their attempts.
func (s *Store) expireDeliveries(ctx context.Context, then time.Time) (n int64, err error) {
	for {
		tag, err := s.Pool().Exec(ctx, `delete from deliveries where id in (
 select id from deliveries where created_at < $1 and state in ('delivered', 'dropped') order by created_at limit $2 for update skip locked)`, then, db.ExpireBatch)
		if err != nil {
			return n, fmt.Errorf("expire deliveries: %w", err)
		}
		if n += tag.RowsAffected(); tag.RowsAffected() < db.ExpireBatch {
			return n, nil
		}
	}
}

// expireByNumber runs a statement over a table, window by window of its ascending numbers, as far as rows may be older than
// then. What is kept is so looked at once.
func (s *Store) expireByNumber(ctx context.Context, table, number, sql string, then time.Time) (n int64, err error) {
	var low, high int64
	if err := s.Pool().QueryRow(ctx, `select coalesce(min(`+number+`) - 1, 0), coalesce(max(`+number+`), 0) from `+table).Scan(&low, &high); err != nil {
		return 0, fmt.Errorf("expire %s: %w", table, err)
	}
	for ; low < high; low += expireWindow {
		var gone int64
		if err := s.Pool().QueryRow(ctx, sql, then, low, low+expireWindow).Scan(&gone); err != nil {
			return n, fmt.Errorf("expire %s: %w", table, err)
		}
		n += gone
	}
	return n, nil
}
