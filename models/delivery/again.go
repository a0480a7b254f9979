package delivery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db"
)

// Redeliver begins a delivery of the account anew, with all attempts; it must be final. Its bytes and
// its webhook-id are those of before.
func (s *Store) Redeliver(ctx context.Context, accountID, id string) (*models.Delivery, error) {
	if err := models.PlainText("id", id); err != nil {
		return nil, err
	}
	var d *models.Delivery
	now := s.Now().UTC()
	err := pgx.BeginFunc(ctx, s.Pool(), func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `select `+deliveryColumns+` from deliveries d where d.id = $1 and d.account_id = $2 for update`, id, accountID)
		if err != nil {
			return err
		}
		if d, err = pgx.CollectExactlyOneRow(rows, scanDelivery); err != nil {
			return err
		}
		if d.State == models.DeliveryPending || d.State == models.DeliveryFailed {
			return &models.Error{Code: models.CodeConflict, Message: "the delivery is still under way"}
		}
		if d.Sealed {
			return &models.Error{Code: models.CodeConflict, Message: "the record of this delivery must not be shown any more"}
		}
		again, err := begin(ctx, tx, `d.id = $2`, now, id)
		if err != nil {
			return err
		}
		if again == 0 {
			return &models.Error{Code: models.CodeConflict, Message: "the webhook of this delivery is deleted, disabled or paused, or its alert is deleted or paused, or its hit is dismissed"}
		}
		rows, err = tx.Query(ctx, `select `+deliveryColumns+` from deliveries d where d.id = $1`, id)
		if err != nil {
			return err
		}
		d, err = pgx.CollectExactlyOneRow(rows, scanDelivery)
		return err
	})
	return d, deliveryError("redeliver", err)
}

// repeatable are deliveries that may be sent again: final ones, of a watcher that is neither deleted nor
// paused, and of a record that may be shown and is not dismissed.
const repeatable = `d.state in ('delivered', 'dropped') and not ` + db.SealedDelivery + ` and not exists (select from watchers w where w.id = d.watcher_id
 and (w.deleted_at is not null or (w.paused or ` + DismissedSQL + `) and not ` + OwedSQL + `))`

// startable are those of them whose registration is sent to.
const startable = repeatable + ` and exists (select from webhooks h where h.id = d.webhook_id and h.deleted_at is null and h.status = 'active' and not h.paused)`

// begin starts deliveries anew, those that may, and gives their number. Its condition starts at $2. With
// them goes, uncounted, what takes their events back: nobody hears of a withdrawn release alone.
func begin(ctx context.Context, tx pgx.Tx, where string, now time.Time, args ...any) (int, error) {
	const anew = `update deliveries d set state = 'pending', reason = null, round = d.round + 1, failures = 0, next_attempt = $1,
 leased_until = null, leased_by = null, updated_at = $1 where `
	rows, err := tx.Query(ctx, anew+where+` and `+startable+` returning coalesce(d.event_id, ''), d.webhook_id`, append([]any{now}, args...)...)
	if err != nil {
		return 0, err
	}
	var events, webhooks []string
	var event, webhook string
	_, err = pgx.ForEachRow(rows, []any{&event, &webhook}, func() error {
		events, webhooks = append(events, event), append(webhooks, webhook)
		return nil
	})
	if err != nil || len(events) == 0 {
		return 0, err
	}
	_, err = tx.Exec(ctx, anew+`(d.event_id, d.webhook_id) in (select e.id, b.webhook from unnest($2::text[], $3::text[]) b(event, webhook) join events e on e.retracts = b.event) and `+startable,
		now, events, webhooks)
	return len(events), err
}

// replayChunk bounds what one transaction of a replay begins.
const replayChunk = 2000

// Replay begins deliveries anew by time and state, and gives their number; a dry run only counts.
// Deliveries under way are left out, and those of deleted or paused watchers, sealed records and dismissed
// people; what was dropped as dismissed begins anew one by one only (Redeliver). A registration that is not sent
// to is CodeConflict, unless it is a dry run.
func (s *Store) Replay(ctx context.Context, accountID string, r models.Replay) (int, error) {
	h, err := s.Webhook(ctx, accountID, r.WebhookID)
	if err != nil {
		return 0, err
	}
	if err := checkSpan(r.From, r.To); err != nil {
		return 0, err
	}
	if !r.DryRun && (h.Status != models.WebhookActive || h.Paused) {
		return 0, &models.Error{Code: models.CodeConflict, Message: "the webhook is disabled or paused; enable it first"}
	}
	states := r.States
	if len(states) == 0 {
		states = []models.DeliveryState{models.DeliveryDropped}
	}
	for _, st := range states {
		if st != models.DeliveryDelivered && st != models.DeliveryDropped {
			return 0, models.Invalid("states", "states takes delivered and dropped only: what is "+string(st)+" is still being tried and needs no replay")
		}
	}
	const which = `d.webhook_id = $2 and d.created_at >= coalesce($3, '-infinity'::timestamptz) and d.created_at < coalesce($4, 'infinity'::timestamptz) and d.state = any($5)
 and d.reason is distinct from 'dismissed'`
	now := s.Now().UTC()
	if r.DryRun {
		var n int
		err := s.Pool().QueryRow(ctx, `select count(*) from deliveries d where $1::timestamptz is not null and `+which+` and `+repeatable, now, r.WebhookID, r.From, r.To, states).Scan(&n)
		if err != nil {
			return 0, fmt.Errorf("count replay: %w", err)
		}
		return n, nil
	}
	total := 0
	for {
		var begun int
		err := s.InTx(ctx, func(tx pgx.Tx) error {
			// Not what this replay has begun already, should it be over before the next chunk.
			n, err := begin(ctx, tx, `d.id in (select d.id from deliveries d where `+which+` and d.updated_at < $1 and `+startable+` order by d.created_at, d.id limit $6 for update)`,
				now, r.WebhookID, r.From, r.To, states, replayChunk)
			begun = n
			return err
		})
		if err != nil {
			return total, fmt.Errorf("replay: %w", err)
		}
		total += begun
		if begun < replayChunk {
			return total, nil
		}
	}
}
