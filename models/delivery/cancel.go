package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
)

// OwedSQL tells of a delivery d that it takes back something that its receiver was told, or may have
// been told at this moment: it goes out although the watcher is paused or the person was dismissed.
const OwedSQL = `(d.kind = 'sealed' or d.kind = 'retraction' and exists (select from events oe join deliveries od on od.event_id = oe.retracts and od.webhook_id = d.webhook_id
 where oe.id = d.event_id and (od.attempts > 0 or od.leased_by is not null)))`

// DismissedSQL tells of a delivery d that its record was dismissed.
const DismissedSQL = `exists (select from dismissals xd join events xe on xe.rid = xd.rid where xe.id = d.event_id and xd.watcher_id = d.watcher_id)`

// Cancel drops what is under way of a watcher or a registration: those of deliveries d that the
// condition of picks, in which $1 is id and $4 is the first of args. What is on the wire at this moment may
// land; it is not tried again.
func Cancel(ctx context.Context, tx pgx.Tx, of, id string, why models.DropReason, now time.Time, args ...any) error {
	// Locked in one order, as by whoever records attempts.
	_, err := tx.Exec(ctx, `update deliveries d set state = 'dropped', reason = $2, next_attempt = null, updated_at = $3
 from (select d.id from deliveries d where `+of+` and d.state in ('pending', 'failed') order by d.id for update) open
 where d.id = open.id`, append([]any{id, why, now}, args...)...)
	if err != nil {
		return fmt.Errorf("cancel deliveries: %w", err)
	}
	return nil
}
