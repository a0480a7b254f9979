package delivery_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// query is what a process called by asks for.
func query(by string) models.ClaimQuery {
	return models.ClaimQuery{By: by, Lease: time.Minute, Most: 100, Each: 100}
}

// claim takes deliveries and returns their ids in order.
func (b *bundle) claim(t *testing.T, q models.ClaimQuery) (ids []string, more bool) {
	t.Helper()
	claims, more, err := b.Store.ClaimDeliveries(b.Ctx, q)
	require.NoError(t, err)
	ids = []string{}
	for _, c := range claims {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids, more
}

func TestDueDeliveriesAreClaimedOnceTheLongestWaitingFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.register(t, b.account, models.NewWebhook{}), b.register(t, b.account, models.NewWebhook{})
	ago := func(d time.Duration) time.Time { return b.Now.Add(-d) }
	b.Deliver(t,
		modelstest.Delivery{ID: "a1", Webhook: one.ID, Due: ago(9 * time.Minute)},
		modelstest.Delivery{ID: "a2", Webhook: one.ID, Due: ago(8 * time.Minute)},
		modelstest.Delivery{ID: "a3", Webhook: one.ID, Due: ago(7 * time.Minute), State: models.DeliveryFailed},
		modelstest.Delivery{ID: "b1", Webhook: two.ID, Due: ago(time.Minute)},
		modelstest.Delivery{ID: "b2", Webhook: two.ID, Due: b.Now.Add(time.Minute)},
		modelstest.Delivery{ID: "b3", Webhook: two.ID, State: models.DeliveryDelivered},
	)
	at, ok, err := b.Store.NextDelivery(b.Ctx, models.ByWebhook)
	require.NoError(t, err)
	require.True(t, ok)
	require.True(t, at.Equal(b.Now.Add(time.Minute)), "what is due already is not next")

	q := query("p")
	q.Most, q.Each = 3, 2
	ids, more := b.claim(t, q)
	require.Equal(t, []string{"a1", "a2", "b1"}, ids, "a busy endpoint leaves room for others")
	require.True(t, more)
	ids, more = b.claim(t, query("p"))
	require.Equal(t, []string{"a3"}, ids, "what is leased is not claimed again")
	require.False(t, more)

	b.Now = b.Now.Add(2 * time.Minute)
	q = query("p")
	q.Except = []string{one.ID}
	ids, _ = b.claim(t, q)
	require.Equal(t, []string{"b1", "b2"}, ids, "the lease has ended; an excepted endpoint gets nothing")
	b.Exec(t, `update deliveries set state = 'delivered', next_attempt = null where state <> 'delivered'`)
	_, ok, err = b.Store.NextDelivery(b.Ctx, models.ByWebhook)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestProcessesThatClaimAtOnceShareNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	const each, processes = 10, 4
	for i := range each * processes {
		b.Deliver(t, modelstest.Delivery{ID: fmt.Sprint("d", i), Webhook: h.ID})
	}
	taken := make([][]models.DeliveryClaim, processes)
	failed := make([]error, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			for range 10 * each {
				q := query(fmt.Sprint("p", i))
				q.Most = 3
				claims, more, err := b.Store.ClaimDeliveries(b.Ctx, q)
				taken[i] = append(taken[i], claims...)
				if failed[i] = err; err != nil || !more && len(claims) == 0 {
					return
				}
			}
		})
	}
	all.Wait()
	seen := map[string]int{}
	for i, claims := range taken {
		require.NoError(t, failed[i])
		for _, c := range claims {
			seen[c.ID]++
		}
	}
	require.Len(t, seen, each*processes)
	for id, n := range seen {
		require.Equal(t, 1, n, id)
	}
}

func TestAClaimIsRenewedAndGivenBackByItsHolderOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	ids := b.Deliver(t, modelstest.Delivery{Webhook: h.ID})
	b.claim(t, query("holder"))

	require.NoError(t, b.Store.ReleaseDeliveries(b.Ctx, "another", ids, 0))
	require.NoError(t, b.Store.RenewDeliveries(b.Ctx, "holder", ids, time.Hour))
	b.Now = b.Now.Add(30 * time.Minute)
	none, _ := b.claim(t, query("another"))
	require.Empty(t, none, "the lease was renewed")

	require.NoError(t, b.Store.ReleaseDeliveries(b.Ctx, "holder", ids, time.Minute))
	none, _ = b.claim(t, query("another"))
	require.Empty(t, none, "it rests")
	b.Now = b.Now.Add(time.Minute)
	got, _ := b.claim(t, query("another"))
	require.Equal(t, ids, got)
	loaded, err := b.Store.LoadDeliveries(b.Ctx, "holder", ids)
	require.NoError(t, err)
	require.Empty(t, loaded, "another process holds it")
}

func TestALoadedDeliveryHasWhatAnAttemptNeeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	_, err := b.Store.BeginRotation(b.Ctx, b.account, []byte("next"))
	require.NoError(t, err)
	ids := b.Deliver(t, modelstest.Delivery{Webhook: w.webhook.ID, Event: w.event})
	b.claim(t, query("p"))
	loaded, err := b.Store.LoadDeliveries(b.Ctx, "p", ids)
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	d := loaded[0]
	require.True(t, d.Due.Equal(b.Now))
	require.True(t, d.CreatedAt.Equal(b.Now))
	d.Due, d.CreatedAt = time.Time{}, time.Time{}
	require.Equal(t, &models.QueuedDelivery{
		ID: ids[0], AccountID: b.account, WebhookID: w.webhook.ID, MessageID: w.event, URL: w.webhook.URL, Body: []byte(`{"id":"x"}`),
		Kind: models.EventBooking, Digest: models.DigestNone, Watched: "Wren Moonsail",
		Match:  &models.DeliveryMatch{Probability: 0.9, Level: "normal", Reasons: []string{"same name"}},
		Secret: []byte("sealed"), NextSecret: []byte("next"), State: models.DeliveryPending, Round: 1,
	}, d)
}

func TestALoadedDeliverySaysWhyItMustNotBeAttempted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string // of the watcher $1, the registration $2 or the booking $3
		test   bool   // a test delivery
		kind   models.EventKind
		heard  bool // its receiver got the event that is taken back
		want   models.DropReason
	}{
		"nothing changed":                        {change: `select $1, $2, $3`, want: ""},
		"the registration was deleted":           {change: `update webhooks set deleted_at = now() where id = $2 and $1 <> $3`, want: models.DropCancelled},
		"the watcher was deleted":                {change: `update watchers set deleted_at = now() where id = $1 and $2 <> $3`, want: models.DropCancelled},
		"the record is withheld":                 {change: `update bookings set withheld = 'maybe juvenile' where id = $3 and $1 <> $2`, want: models.DropWithheld},
		"the notice that a record is withheld":   {change: `update bookings set withheld = 'maybe juvenile' where id = $3 and $1 <> $2`, kind: models.EventWithheld, want: ""},
		"the registration is disabled":           {change: `update webhooks set status = 'disabled', disabled_reason = 'gone' where id = $2 and $1 <> $3`, want: models.DropDisabled},
		"a test to a disabled registration":      {change: `update webhooks set status = 'disabled', disabled_reason = 'gone' where id = $2 and $1 <> $3`, test: true, want: ""},
		"the registration is paused":             {change: `update webhooks set paused = true where id = $2 and $1 <> $3`, want: models.DropPaused},
		"the watcher is paused":                  {change: `update watchers set paused = true where id = $1 and $2 <> $3`, want: models.DropPaused},
		"paused, but it takes back what arrived": {change: `update watchers set paused = true where id = $1 and $2 <> $3`, kind: models.EventRetraction, heard: true, want: ""},
		"paused, and nothing arrived to take back": {
			change: `update watchers set paused = true where id = $1 and $2 <> $3`, kind: models.EventRetraction, want: models.DropPaused,
		},
		"the record was dismissed": {
			change: `insert into dismissals (hit_id, watcher_id, rid, at) select h.id, h.watcher_id, h.rid, now() from hits h where h.watcher_id = $1 and $2 <> $3`, want: models.DropDismissed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			w := b.watch(t, "fulton-2026-000001")
			event := w.event
			if c.kind == models.EventRetraction {
				told := b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: w.record, Kind: models.EventRelease})
				d := modelstest.Delivery{Webhook: w.webhook.ID, Event: told, State: models.DeliveryDropped, Reason: models.DropPaused}
				if c.heard {
					d = modelstest.Delivery{Webhook: w.webhook.ID, Event: told, State: models.DeliveryDelivered, Attempts: 1}
				}
				b.Deliver(t, d)
				event = b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: w.record, Kind: c.kind, Retracts: told})
			} else if c.kind != "" {
				event = b.Event(t, modelstest.Event{Watcher: w.watcher.ID, Record: w.record, Kind: c.kind})
			}
			if c.test {
				event = ""
			}
			ids := b.Deliver(t, modelstest.Delivery{Webhook: w.webhook.ID, Event: event})
			b.Exec(t, c.change, w.watcher.ID, w.webhook.ID, w.record)
			b.claim(t, query("p"))
			loaded, err := b.Store.LoadDeliveries(b.Ctx, "p", ids)
			require.NoError(t, err)
			require.Len(t, loaded, 1)
			require.Equal(t, c.want, loaded[0].Drop)
			require.Equal(t, c.test, loaded[0].Test)
		})
	}
}

func TestSendersHearOfNewDeliveries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{})
	ctx, stop := context.WithCancel(b.Ctx)
	heard, ended := make(chan struct{}, 100), make(chan error, 1)
	go func() { ended <- b.Store.ListenDeliveries(ctx, func() { heard <- struct{}{} }) }()
	<-heard // connected
	b.Deliver(t, modelstest.Delivery{Webhook: h.ID})
	<-heard
	stop()
	require.Error(t, <-ended)
}
