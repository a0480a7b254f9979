package delivery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

func TestAFinalDeliveryBeginsAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	id := b.Deliver(t, modelstest.Delivery{Webhook: w.webhook.ID, Event: w.event, State: models.DeliveryDropped, Reason: models.DropExhausted, Attempts: 4})[0]
	b.Now = b.Now.Add(time.Hour)
	d, err := b.Store.Redeliver(b.Ctx, b.account, id)
	require.NoError(t, err)
	require.Equal(t, []any{models.DeliveryPending, (*models.DropReason)(nil), 2, 4, 0, new(b.Now)}, []any{d.State, d.Reason, d.Round, d.Attempts, d.Failures, d.NextAttempt})
	require.Equal(t, d, b.delivery(t, id))
	_, err = b.Store.Redeliver(b.Ctx, b.account, id)
	requireCode(t, models.CodeConflict, err)
	_, err = b.Store.Redeliver(b.Ctx, b.Account(t, "other@example.org"), id)
	requireCode(t, models.CodeNotFound, err)
}

// What cannot be sent is neither counted nor begun.
func TestAReplayPromisesNothingThatIsCancelled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	deleted, kept := b.watch(t, "fulton-2026-000001"), b.watch(t, "fulton-2026-000002")
	dropped := modelstest.Delivery{Webhook: kept.webhook.ID, Event: deleted.event, State: models.DeliveryDropped, Reason: models.DropCancelled}
	ofKept := dropped
	ofKept.Event, ofKept.Reason = kept.event, models.DropExhausted
	ids := b.Deliver(t, dropped, ofKept)
	b.Exec(t, `update watchers set deleted_at = now() where id = $1`, deleted.watcher.ID)
	for _, dry := range []bool{true, false} {
		n, err := b.Store.Replay(b.Ctx, b.account, models.Replay{WebhookID: kept.webhook.ID, DryRun: dry})
		require.NoError(t, err)
		require.Equal(t, 1, n)
		b.Now = b.Now.Add(time.Minute)
	}
	require.Equal(t, []string{"dropped cancelled", "pending"}, b.standing(t, ids...))
	b.Exec(t, `update deliveries set state = 'dropped', reason = 'plan', next_attempt = null`)
	b.Exec(t, `update accounts set suspended_at = now(), suspended_reason = 'unpaid'`)
	for _, dry := range []bool{true, false} {
		_, err := b.Store.Replay(b.Ctx, b.account, models.Replay{WebhookID: kept.webhook.ID, DryRun: dry})
		requireCode(t, models.CodeConflict, err)
		require.ErrorContains(t, err, "account is suspended")
	}
}

func TestADeliveryThatMayNotBeSentDoesNotBeginAnew(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ change, says string }{
		"its record is withheld":        {`update bookings set withheld = 'maybe juvenile' where id = $3 and $1 <> $2`, "can no longer be shown"},
		"its registration was deleted":  {`update webhooks set deleted_at = now() where id = $2 and $1 <> $3`, "endpoint of this delivery was deleted"},
		"its registration is disabled":  {`update webhooks set status = 'disabled', disabled_reason = 'gone' where id = $2 and $1 <> $3`, "endpoint is disabled: enable it"},
		"its registration is paused":    {`update webhooks set paused = true where id = $2 and $1 <> $3`, "endpoint is paused: resume it"},
		"its watcher was deleted":       {`update watchers set deleted_at = now() where id = $1 and $2 <> $3`, "alert of this delivery was deleted"},
		"its watcher is paused":         {`update watchers set paused = true where id = $1 and $2 <> $3`, "alert of this delivery is paused"},
		"its record was dismissed":      {`insert into dismissals (hit_id, watcher_id, rid, at) select h.id, h.watcher_id, h.rid, now() from hits h where h.watcher_id = $1 and $2 <> $3`, "hit of this delivery is dismissed"},
		"its account is suspended":      {`update accounts set suspended_at = now(), suspended_reason = 'unpaid' where $1 <> $2 and $2 <> $3`, "account is suspended"},
		"its account lost the plan":     {`update accounts set plan = 'pro' where $1 <> $2 and $2 <> $3`, "not on the Enterprise plan"},
		"another process sends it just": {`update deliveries set state = 'pending', reason = null, next_attempt = now() where webhook_id = $2 and $1 <> $3`, "still under way"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			w := b.watch(t, "fulton-2026-000001")
			id := b.Deliver(t, modelstest.Delivery{Webhook: w.webhook.ID, Event: w.event, State: models.DeliveryDropped, Reason: models.DropExhausted})[0]
			b.Exec(t, c.change, w.watcher.ID, w.webhook.ID, w.record)
			_, err := b.Store.Redeliver(b.Ctx, b.account, id)
			requireCode(t, models.CodeConflict, err)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, err, b.Store.CheckRedeliver(b.Ctx, b.account, id), "a dry run promises nothing that is refused")
			require.Equal(t, 1, b.delivery(t, id).Round)
		})
	}
}

func TestWhatTakesAnEventBackIsSentAgainWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	release := b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: w.record, Kind: models.EventRelease})
	retraction := b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: w.record, Kind: models.EventRetraction, Retracts: release})
	other := b.register(t, b.account, models.NewWebhook{})
	done := modelstest.Delivery{Webhook: w.webhook.ID, State: models.DeliveryDelivered, Attempts: 1}
	first, back, elsewhere := done, done, done
	first.Event, back.Event, elsewhere.Event, elsewhere.Webhook = release, retraction, retraction, other.ID
	ids := b.Deliver(t, first, back, elsewhere)
	_, err := b.Store.Redeliver(b.Ctx, b.account, ids[0])
	require.NoError(t, err)
	require.Equal(t, []string{"pending", "pending", "delivered"}, b.standing(t, ids...))
}

func TestAReplayBeginsWhatWasDroppedInATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	hidden := b.watch(t, "fulton-2026-000002")
	old, dropped := b.Now.Add(-time.Hour), models.DeliveryDropped
	ids := b.Deliver(t,
		modelstest.Delivery{Webhook: w.webhook.ID, Event: w.event, State: dropped, Reason: models.DropPaused, Made: old},
		modelstest.Delivery{Webhook: w.webhook.ID, State: dropped, Reason: models.DropExhausted, Made: old},
		modelstest.Delivery{Webhook: w.webhook.ID, State: dropped, Reason: models.DropExhausted, Made: old.Add(-time.Hour)},
		modelstest.Delivery{Webhook: w.webhook.ID, State: dropped, Reason: models.DropDismissed, Made: old},
		modelstest.Delivery{Webhook: w.webhook.ID, State: models.DeliveryDelivered, Made: old},
		modelstest.Delivery{Webhook: w.webhook.ID, State: models.DeliveryFailed, Made: old},
		modelstest.Delivery{Webhook: w.webhook.ID, Event: hidden.event, State: dropped, Reason: models.DropPaused, Made: old},
	)
	b.withhold(t, hidden.record)
	r := models.Replay{WebhookID: w.webhook.ID, From: &old, DryRun: true}
	n, err := b.Store.Replay(b.Ctx, b.account, r)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, "dropped paused", b.standing(t, ids[0])[0], "a dry run changes nothing")

	_, err = b.Store.UpdateWebhook(b.Ctx, b.account, w.webhook.ID, models.WebhookChange{Paused: new(true)})
	require.NoError(t, err)
	n, err = b.Store.Replay(b.Ctx, b.account, r)
	require.NoError(t, err)
	require.Equal(t, 2, n, "a dry run counts for a paused registration too")
	r.DryRun = false
	_, err = b.Store.Replay(b.Ctx, b.account, r)
	requireCode(t, models.CodeConflict, err)
	_, err = b.Store.UpdateWebhook(b.Ctx, b.account, w.webhook.ID, models.WebhookChange{Paused: new(false)})
	require.NoError(t, err)

	b.Now = b.Now.Add(time.Minute)
	n, err = b.Store.Replay(b.Ctx, b.account, r)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, []string{"pending", "pending", "dropped exhausted", "dropped dismissed", "delivered", "failed", "dropped paused"}, b.standing(t, ids...))
	r.From, r.To, r.States = nil, &old, []models.DeliveryState{models.DeliveryDelivered, dropped}
	n, err = b.Store.Replay(b.Ctx, b.account, r)
	require.NoError(t, err)
	require.Equal(t, 1, n, "only what was made before")
}

func TestAReplayOfMoreThanOneChunkBeginsEachOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	b.Exec(t, `insert into deliveries (id, account_id, webhook_id, message_id, kind, body, state, reason, created_at, updated_at)
 select 'd' || i, $1, $2, 'evt_test', 'booking', '', 'dropped', 'exhausted', $3, $3 from generate_series(1, 4500) i`, b.account, h.ID, b.Now)
	b.Now = b.Now.Add(time.Minute)
	n, err := b.Store.Replay(b.Ctx, b.account, models.Replay{WebhookID: h.ID})
	require.NoError(t, err)
	require.Equal(t, 4500, n)
	var rounds int
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select max(round) from deliveries`).Scan(&rounds))
	require.Equal(t, 2, rounds)
}

func TestAReplayThatMakesNoSenseIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	for name, c := range map[string]struct {
		replay models.Replay
		want   models.Code
	}{
		"of an unknown registration":  {models.Replay{WebhookID: "wh_none"}, models.CodeNotFound},
		"that ends before it begins":  {models.Replay{WebhookID: h.ID, From: new(b.Now), To: new(b.Now.Add(-time.Hour))}, models.CodeInvalidParameter},
		"of what is still being sent": {models.Replay{WebhookID: h.ID, States: []models.DeliveryState{models.DeliveryFailed}}, models.CodeInvalidParameter},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.Store.Replay(b.Ctx, b.account, c.replay)
			requireCode(t, c.want, err)
		})
	}
}
