package modelstest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// Event is what happened to a booking, as a test stores it: a change that is matched already, with
// its hit and event. Nothing is delivered.
type Event struct {
	// Watcher is the id of the watcher that matched.
	Watcher string
	// Record is the id of the booking, such as fulton-2026-000001.
	Record string
	Kind   models.EventKind
	// Retracts is the id of the event that this one takes back; its change refers to that event's
	// change. Empty for all but retractions.
	Retracts string
	// At is when the change was detected; the bundle's Now if zero.
	At time.Time
}

// Event stores a change of a booking with the hit and the event that came of it, and returns the event's id.
func (b *Bundle) Event(t *testing.T, e Event) string {
	t.Helper()
	if e.At.IsZero() {
		e.At = b.Now
	}
	id := models.NewID("evt")
	_, err := b.Pool.Exec(b.Ctx, `with batch as (
  insert into change_batches (source_id, detected_at, watcher_rev) values ('jail', $4, 0) returning id
), change as (
  insert into changes (batch_id, kind, detected_at, matched_at, retracts, source_id, rid, record_id,
    county_id, name, booked_at, released_at, charges, bond_cents)
  select batch.id, $3, $4, $4, (select change_id from events where id = $5), 'jail', b.rid, b.id,
    b.county_id, b.name, b.booked_at, b.released_at, '{THEFT}', 150000
  from batch, bookings b where b.id = $2 returning id, rid
), hit as (
  insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
  select 'hit_' || $6::text, w.account_id, w.id, change.rid, 0.91234, '{"same name"}', $4 from change, watchers w where w.id = $1
  on conflict (watcher_id, rid) do update set reasons = excluded.reasons returning id
)
insert into events (id, account_id, kind, change_id, watcher_id, rid, hit_id, retracts, level, probability, reasons, at, created_at)
select $6, w.account_id, $3, change.id, w.id, change.rid, hit.id, nullif($5, ''), w.level, 0.91234, '{"same name"}', $4, $4
from change, hit, watchers w where w.id = $1`,
		e.Watcher, e.Record, e.Kind, e.At, e.Retracts, id)
	require.NoError(t, err)
	return id
}

// Delivery is a delivery as a test stores it, with the body {"id":"x"}. Fields left zero get plain
// values.
type Delivery struct {
	// ID is a new one if empty.
	ID      string
	Webhook string
	// Event is the id of an event; empty for a test delivery.
	Event    string
	State    models.DeliveryState
	Reason   models.DropReason
	Attempts int
	// Made is when it was created; the bundle's Now if zero.
	Made time.Time
	// Due is when the next attempt is due; Made if zero. Final states ignore it.
	Due time.Time
}

// Deliver stores deliveries and returns their ids.
func (b *Bundle) Deliver(t *testing.T, rows ...Delivery) []string {
	t.Helper()
	ids := make([]string, len(rows))
	for i, d := range rows {
		if d.ID == "" {
			d.ID = models.NewID("dlv")
		}
		if d.State == "" {
			d.State = models.DeliveryPending
		}
		if d.Made.IsZero() {
			d.Made = b.Now
		}
		if d.Due.IsZero() {
			d.Due = d.Made
		}
		due := &d.Due
		if d.State == models.DeliveryDelivered || d.State == models.DeliveryDropped {
			due = nil
		}
		_, err := b.Pool.Exec(b.Ctx, `insert into deliveries
  (id, account_id, webhook_id, event_id, message_id, watcher_id, kind, body, match, state, reason, attempts, next_attempt, created_at, updated_at)
select $1, w.account_id, w.id, e.id, coalesce(e.id, 'evt_test'), e.watcher_id, coalesce(e.kind, 'booking'), '{"id":"x"}',
  case when e.id is not null then '{"probability":0.9,"level":"normal","reasons":["same name"]}'::jsonb end, $4, nullif($5, ''), $6, $7, $8, $8
from webhooks w left join events e on e.id = $3 where w.id = $2`, d.ID, d.Webhook, d.Event, d.State, d.Reason, d.Attempts, due, d.Made)
		require.NoError(t, err)
		ids[i] = d.ID
	}
	return ids
}
