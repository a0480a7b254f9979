package reconcile

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// hushSealed ends what is under way of the bookings that this transaction takes from the public: their
// deliveries are dropped, reason sealed, and answers that are kept for repeated requests forget them.
// What is loaded for sending at this moment is looked at again right before (LoadDeliveries).
func (st *staging) hushSealed(ctx context.Context) error {
	var parts []string
	if st.work.changed > 0 {
		parts = append(parts, `select rid from changed where old_withheld is null`)
	}
	if st.work.hushed > 0 {
		parts = append(parts, `select rid from resealed_now where old_withheld is null`)
	}
	if len(parts) == 0 {
		return nil
	}
	rows, err := st.tx.Query(ctx, `select b.rid from (`+strings.Join(parts, ` union `)+`) o join bookings b on b.rid = o.rid where b.withheld is not null`)
	if err != nil {
		return fmt.Errorf("list sealed bookings: %w", err)
	}
	rids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return fmt.Errorf("list sealed bookings: %w", err)
	}
	return hush(ctx, st.tx, rids, st.detectedAt())
}

// hush is hushSealed for the bookings that rids name, and those that were merged into them.
func hush(ctx context.Context, tx pgx.Tx, rids []int64, now time.Time) error {
	if len(rids) == 0 {
		return nil
	}
	err := tx.QueryRow(ctx, `select array(select unnest($1::bigint[]) union select g.rid from merged_records m join bookings g on g.id = m.id
 where m.family = 'roster' and m.record = any($1))`, rids).Scan(&rids)
	if err != nil {
		return fmt.Errorf("list what was merged into sealed bookings: %w", err)
	}
	// Locked in one order, as by whoever records attempts.
	_, err = tx.Exec(ctx, `update deliveries d set state = 'dropped', reason = $2, next_attempt = null, leased_until = null, leased_by = null, updated_at = $3
 from (select id from deliveries where event_id in (select id from events where rid = any($1)) and kind <> 'sealed' and state in ('pending', 'failed') order by id for update) open
 where d.id = open.id`, rids, models.DropSealed, now)
	if err != nil {
		return fmt.Errorf("drop deliveries of sealed bookings: %w", err)
	}
	_, err = tx.Exec(ctx, `delete from idempotency_keys where records && $1 and status is not null`, rids)
	if err != nil {
		return fmt.Errorf("forget kept answers of sealed bookings: %w", err)
	}
	return nil
}
