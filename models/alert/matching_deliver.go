package alert

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models"
	"rollcall/models/db/column"
	"rollcall/models/delivery"
)

// Webhooks returns the endpoints of accounts that are not deleted, by account. They cannot change until the
// transaction ends: a request that deletes one waits, and then cancels what this transaction made.
func (m *Matching) Webhooks(ctx context.Context, accountIDs []string) (map[string][]*models.Webhook, error) {
	var found []*models.Webhook
	err := m.rows.WithContext(ctx).Clauses(shared).
		Where("account_id = any (?) and deleted_at is null", column.Array[string](accountIDs)).Order("id").Find(&found).Error
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	out := map[string][]*models.Webhook{}
	for _, h := range found {
		out[h.AccountID] = append(out[h.AccountID], h)
	}
	return out, nil
}

// NewDelivery is a delivery of an event to an endpoint, before it is written.
type NewDelivery struct {
	Event   *NewEvent
	Webhook *models.Webhook
	// Body is the payload. It is serialised once, and the same bytes are sent on each attempt (DECISIONS.md,
	// "Webhooks").
	Body []byte
	// Drop is why it is dropped at once, without an attempt; nil if it is to be sent.
	Drop *models.DropReason
}

// Heard returns which endpoints deliveries of events reached, and why others were dropped before any attempt.
// What takes an event back is sent only where the event may have arrived. Heard waits for no lock: a delivery
// that is dropped at this moment is looked at again right before the retraction is sent (LoadDeliveries).
func (m *Matching) Heard(ctx context.Context, eventIDs []string) (models.Heard, error) {
	type row struct {
		EventID, WebhookID string
		Why                *models.DropReason
	}
	rows, err := collect[row](ctx, m.tx, "heard", pgx.NamedArgs{"events": eventIDs})
	if err != nil {
		return nil, fmt.Errorf("read who was sent events: %w", err)
	}
	out := models.Heard{}
	for _, r := range rows {
		if out[r.EventID] == nil {
			out[r.EventID] = map[string]*models.DropReason{}
		}
		out[r.EventID][r.WebhookID] = r.Why
	}
	return out, nil
}

// Received reports whether an endpoint was sent what a notice about a withheld record speaks of, or may have been: what the
// withholding itself ended may have been on the wire. Nobody else has anything to delete.
func (e *NewEvent) Received(h *models.Webhook, heard models.Heard) bool {
	kept := false
	for _, id := range e.About {
		why, sent := heard[id][h.ID]
		if sent && (why == nil || *why == models.DropWithheld) {
			return true
		}
		kept = kept || len(heard[id]) > 0
	}
	// Deliveries that have expired say nothing.
	return !kept && h.CreatedAt.Before(e.AboutAt) && (h.Way != models.ByEmail || h.ConfirmedAt != nil)
}

// dropped returns why a delivery is not sent, and nil when it is.
func (d *NewDelivery) dropped() *models.DropReason {
	if d.Drop != nil {
		return d.Drop
	}
	return d.Webhook.Undeliverable()
}

// digested reports whether a delivery waits for a digest: a flood of those is one mail.
func (d *NewDelivery) digested() bool {
	return d.Webhook.Digest != models.DigestNone && d.Webhook.Digest != ""
}

// WriteDeliveries inserts deliveries; a trigger announces them to the senders. Those to an endpoint that is
// disabled or paused are dropped at once, with that as the reason, so that they can be replayed. Those above
// the account's flood limit are due later, and so are those of a digest.
func (m *Matching) WriteDeliveries(ctx context.Context, deliveries []*NewDelivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	when, err := m.flood(ctx, deliveries)
	if err != nil {
		return err
	}
	_, err = m.tx.CopyFrom(ctx, pgx.Identifier{"deliveries"}, []string{
		"id", "account_id", "webhook_id", "way", "event_id", "message_id", "watcher_id", "kind",
		"body", "match", "state", "reason", "next_attempt", "created_at", "updated_at",
	}, pgx.CopyFromSlice(len(deliveries), func(i int) ([]any, error) {
		d := deliveries[i]
		if at := delivery.Due(d.Webhook.Digest, m.now); at.After(when[i]) {
			when[i] = at
		}
		id, state, next := models.NewID("dlv"), models.DeliveryPending, &when[i]
		why := d.dropped()
		if why != nil {
			state, next = models.DeliveryDropped, nil
		}
		var watcher *string
		var match *models.DeliveryMatch
		if w := d.Event.Watcher; w != nil {
			watcher, match = &w.ID, &models.DeliveryMatch{Probability: d.Event.Probability, Level: string(w.Level), Reasons: d.Event.Reasons}
		}
		return []any{
			id, d.Event.AccountID, d.Webhook.ID, string(d.Webhook.Way), d.Event.ID, d.Event.ID, watcher, string(d.Event.Change.Kind),
			d.Body, match, string(state), why, next, m.now, m.now,
		}, nil
	}))
	if err != nil {
		return fmt.Errorf("write deliveries: %w", err)
	}
	return nil
}
