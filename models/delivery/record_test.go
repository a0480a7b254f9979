package delivery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// result is an attempt of the first round that left its delivery in a state.
func (b *bundle) result(id string, state models.DeliveryState) models.DeliveryResult {
	r := models.DeliveryResult{ID: id, Round: 1, State: state, Attempt: models.Attempt{At: b.Now, Status: new(200), LatencyMS: 12, Class: "delivered", Answer: new("ok " + id)}}
	switch state {
	case models.DeliveryFailed:
		r.Failures, r.Next, r.Attempt.Status, r.Attempt.Error = 1, new(b.Now.Add(time.Minute)), new(503), new("the endpoint is busy")
	case models.DeliveryDropped:
		r.Failures, r.Reason = 4, models.DropExhausted
	case models.DeliveryPending, models.DeliveryDelivered:
	}
	return r
}

func TestAttemptsMoveTheirDeliveries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	ids := b.Deliver(t, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID})
	b.claim(t, query("p"))
	disabled, err := b.Store.RecordAttempts(b.Ctx, "p", []models.DeliveryResult{
		b.result(ids[2], models.DeliveryDropped), b.result(ids[1], models.DeliveryFailed), b.result(ids[0], models.DeliveryDelivered),
	}, nil)
	require.NoError(t, err)
	require.Empty(t, disabled)
	require.Equal(t, []string{"delivered", "failed", "dropped exhausted"}, b.standing(t, ids...))
	failed := b.delivery(t, ids[1])
	require.Equal(t, []int{1, 1, 1}, []int{failed.Attempts, failed.Failures, failed.Round})
	require.Equal(t, new(b.Now.Add(time.Minute)), failed.NextAttempt)

	attempts, err := b.Store.AttemptsOf(b.Ctx, ids)
	require.NoError(t, err)
	require.Len(t, attempts, 3)
	got := attempts[ids[1]][0]
	require.Equal(t, &models.Attempt{
		ID: got.ID, DeliveryID: ids[1], At: b.Now, Status: new(503), LatencyMS: 12, Class: "delivered", Answer: new("ok " + ids[1]), Error: new("the endpoint is busy"),
	}, got)
}

func TestAnAttemptThatNoLongerHoldsItsDeliveryIsKeptAndMovesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	ids := b.Deliver(t, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID})
	b.claim(t, query("p"))
	b.Exec(t, `update deliveries set leased_by = 'another' where id = any ($1)`, ids[:2])
	b.Exec(t, `update deliveries set round = 2 where id = $1`, ids[2])
	b.Exec(t, `update deliveries set state = 'dropped', reason = 'cancelled', next_attempt = null where id = $1`, ids[3])
	_, err := b.Store.RecordAttempts(b.Ctx, "p", []models.DeliveryResult{
		b.result(ids[0], models.DeliveryFailed), b.result(ids[1], models.DeliveryDelivered), b.result(ids[2], models.DeliveryFailed), b.result(ids[3], models.DeliveryFailed),
	}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"pending", "delivered", "pending", "dropped cancelled"}, b.standing(t, ids...), "a success always counts")
	attempts, err := b.Store.AttemptsOf(b.Ctx, ids)
	require.NoError(t, err)
	require.Len(t, attempts, 4)
	require.Equal(t, 1, b.delivery(t, ids[0]).Attempts)
}

func TestTheHealthOfRegistrations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	failing, working, broken, saved := b.register(t, b.account, models.NewWebhook{}), b.register(t, b.account, models.NewWebhook{}),
		b.register(t, b.account, models.NewWebhook{}), b.register(t, b.account, models.NewWebhook{})
	long := b.Now.Add(-6 * 24 * time.Hour)
	b.Exec(t, `update webhooks set failing_since = $2 where id = any ($1)`, []string{working.ID, broken.ID}, long)
	b.Exec(t, `update webhooks set failing_since = $2 where id = $1`, saved.ID, b.Now.Add(-time.Hour))
	open := b.Deliver(t, modelstest.Delivery{Webhook: broken.ID}, modelstest.Delivery{Webhook: saved.ID})

	disabled, err := b.Store.RecordAttempts(b.Ctx, "p", nil, []models.WebhookHealth{
		{ID: failing.ID, FailingSince: new(b.Now)},
		{ID: working.ID, Worked: true},
		{ID: broken.ID, FailingSince: new(b.Now.Add(-time.Minute)), Disable: "nothing but failures"},
		{ID: saved.ID, FailingSince: &long, Disable: "nothing but failures"}, // it worked after that, another process says
	})
	require.NoError(t, err)
	require.Equal(t, []string{broken.ID}, disabled)
	since := func(h *models.Webhook) *time.Time {
		now, err := b.Store.Webhook(b.Ctx, b.account, h.ID)
		require.NoError(t, err)
		return now.FailingSince
	}
	require.Equal(t, []*time.Time{new(b.Now), nil, &long, new(b.Now.Add(-time.Hour))}, []*time.Time{since(failing), since(working), since(broken), since(saved)})
	require.Equal(t, []string{"dropped disabled", "pending"}, b.standing(t, open...))
	now, err := b.Store.Webhook(b.Ctx, b.account, broken.ID)
	require.NoError(t, err)
	require.Equal(t, []any{models.WebhookDisabled, new("nothing but failures")}, []any{now.Status, now.DisabledReason})
}

func TestDeliveriesAreDroppedByTheirHolderOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	ids := b.Deliver(t, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID})
	b.claim(t, query("p"))
	b.Exec(t, `update deliveries set leased_by = 'another' where id = $1`, ids[1])
	require.NoError(t, b.Store.DropDeliveries(b.Ctx, "p", ids, models.DropWithheld))
	require.Equal(t, []string{"dropped sealed", "pending"}, b.standing(t, ids...))
}

func TestWhatIsStillToDeliverIsCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Account(t, "other@example.org")
	h, theirs := b.register(t, b.account, models.NewWebhook{}), b.register(t, other, models.NewWebhook{})
	quiet := b.register(t, b.account, models.NewWebhook{})
	early, late := b.Now.Add(-time.Hour), b.Now.Add(time.Hour)
	b.Deliver(t,
		modelstest.Delivery{Webhook: h.ID, Due: early}, modelstest.Delivery{Webhook: h.ID}, modelstest.Delivery{Webhook: h.ID, Due: late},
		modelstest.Delivery{Webhook: h.ID, State: models.DeliveryFailed, Due: late}, modelstest.Delivery{Webhook: h.ID, State: models.DeliveryDelivered},
		modelstest.Delivery{Webhook: theirs.ID},
	)
	b.Exec(t, `update webhooks set failing_since = now() where id = $1`, h.ID)

	want := models.Backlog{Waiting: 2, Delayed: 1, Retrying: 1, OldestDue: &early, DelayedUntil: &late}
	by, err := b.Store.BacklogsOf(b.Ctx, b.account, []string{h.ID, quiet.ID, theirs.ID})
	require.NoError(t, err)
	require.Equal(t, map[string]models.Backlog{h.ID: want}, by, "another account's is left out")
	by, err = b.Store.BacklogsOf(b.Ctx, b.account, nil)
	require.NoError(t, err)
	require.Empty(t, by)
	mine, err := b.Store.AccountBacklog(b.Ctx, b.account)
	require.NoError(t, err)
	require.Equal(t, want, mine)
	all, err := b.Store.AccountBacklogs(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]models.Backlog{b.account: want, other: {Waiting: 1, OldestDue: new(b.Now)}}, all)

	total, err := b.Store.DeliveryBacklog(b.Ctx)
	require.NoError(t, err)
	require.True(t, total.Oldest.Equal(early))
	total.Oldest = nil
	require.Equal(t, &models.DeliveryBacklog{Pending: 4, Failed: 1, Failing: 1}, total)
}
