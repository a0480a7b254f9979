package delivery_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

func TestDeliveriesAreListedNewestFirstByPageAndFilter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	second, theirs := b.register(t, b.account, models.NewWebhook{}), b.register(t, b.Account(t, "other@example.org"), models.NewWebhook{})
	ago := func(d time.Duration) time.Time { return b.Now.Add(-d) }
	b.Deliver(t,
		modelstest.Delivery{ID: "d1", Webhook: w.webhook.ID, Event: w.event, Made: ago(time.Hour), State: models.DeliveryDelivered},
		modelstest.Delivery{ID: "d2", Webhook: second.ID, Made: ago(time.Minute)},
		modelstest.Delivery{ID: "d3", Webhook: second.ID, Made: ago(time.Minute)},
		modelstest.Delivery{ID: "d4", Webhook: second.ID, State: models.DeliveryDropped, Reason: models.DropPaused},
		modelstest.Delivery{ID: "x", Webhook: theirs.ID},
	)
	for name, c := range map[string]struct {
		filter models.DeliveryFilter
		want   []string
	}{
		"all of the account":    {models.DeliveryFilter{}, []string{"d4", "d3", "d2", "d1"}},
		"of a registration":     {models.DeliveryFilter{WebhookID: &second.ID}, []string{"d4", "d3", "d2"}},
		"of a watcher":          {models.DeliveryFilter{WatcherID: &w.watcher.ID}, []string{"d1"}},
		"in a state":            {models.DeliveryFilter{State: new(models.DeliveryPending)}, []string{"d3", "d2"}},
		"from a time on":        {models.DeliveryFilter{From: new(ago(time.Minute))}, []string{"d4", "d3", "d2"}},
		"before a time":         {models.DeliveryFilter{To: new(ago(time.Minute))}, []string{"d1"}},
		"of a registration, in": {models.DeliveryFilter{WebhookID: &second.ID, State: new(models.DeliveryDropped)}, []string{"d4"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := b.Store.Deliveries(b.Ctx, b.account, c.filter, models.Page{Limit: 10})
			require.NoError(t, err)
			require.Equal(t, c.want, idsOf(page))
			n, err := b.Store.CountDeliveries(b.Ctx, b.account, c.filter)
			require.NoError(t, err)
			require.Equal(t, len(c.want), n)
		})
	}
	first, err := b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{}, models.Page{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, []string{"d4", "d3"}, idsOf(first))
	require.True(t, first.PageInfo.HasNextPage)
	after, err := first.PageInfo.End()
	require.NoError(t, err)
	rest, err := b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{}, models.Page{Limit: 2, After: after})
	require.NoError(t, err)
	require.Equal(t, []string{"d2", "d1"}, idsOf(rest))
	require.False(t, rest.PageInfo.HasNextPage)
	skipped, err := b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{}, models.Page{Limit: 2, Offset: 3})
	require.NoError(t, err)
	require.Equal(t, []string{"d1"}, idsOf(skipped))

	_, err = b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{}, models.Page{Limit: 2, After: "forged"})
	requireCode(t, models.CodeInvalidParameter, err)
	_, err = b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{From: new(b.Now), To: new(ago(time.Hour))}, models.Page{Limit: 2})
	requireCode(t, models.CodeInvalidParameter, err)
	_, err = b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{WebhookID: new("wh_\x00")}, models.Page{Limit: 2})
	requireCode(t, models.CodeInvalidParameter, err)
}

func idsOf(p *models.DeliveryPage) []string {
	ids := []string{}
	for _, d := range p.Deliveries {
		ids = append(ids, d.ID)
	}
	return ids
}

func TestADeliveryIsOfItsAccountAndShowsNothingOfAWithheldRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.watch(t, "fulton-2026-000001")
	id := b.Deliver(t, modelstest.Delivery{Webhook: w.webhook.ID, Event: w.event})[0]
	b.claim(t, query("p"))
	_, err := b.Store.RecordAttempts(b.Ctx, "p", []models.DeliveryResult{b.result(id, models.DeliveryDelivered)}, nil)
	require.NoError(t, err)

	d := b.delivery(t, id)
	require.Equal(t, &models.Delivery{
		ID: id, AccountID: b.account, WebhookID: w.webhook.ID, Way: models.ByWebhook, EventID: &w.event, MessageID: w.event, WatcherID: &w.watcher.ID, Kind: "booking",
		Body: []byte(`{"id":"x"}`), Match: &models.DeliveryMatch{Probability: 0.9, Level: "normal", Reasons: []string{"same name"}},
		State: models.DeliveryDelivered, Round: 1, Attempts: 1, CreatedAt: b.Now, UpdatedAt: b.Now,
	}, d)
	require.False(t, d.Test())

	b.withhold(t, w.record)
	d = b.delivery(t, id)
	require.Equal(t, []any{true, 0, (*models.DeliveryMatch)(nil)}, []any{d.Withheld, len(d.Body), d.Match})
	page, err := b.Store.Deliveries(b.Ctx, b.account, models.DeliveryFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, d, page.Deliveries[0])
	attempts, err := b.Store.AttemptsOf(b.Ctx, []string{id})
	require.NoError(t, err)
	require.Nil(t, attempts[id][0].Answer, "receivers echo what they get")

	// A merged booking is shown as long as the record that it went into.
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000002", Name: "MOONSAIL, WREN"})
	b.Exec(t, `update bookings set withheld = null, merged_into = (select rid from bookings where id = 'fulton-2026-000002') where id = $1`, w.record)
	require.False(t, b.delivery(t, id).Withheld)
	b.withhold(t, "fulton-2026-000002")
	require.True(t, b.delivery(t, id).Withheld)

	_, err = b.Store.Delivery(b.Ctx, b.Account(t, "other@example.org"), id)
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.Delivery(b.Ctx, b.account, "dlv_\x00")
	requireCode(t, models.CodeInvalidParameter, err)
}

func TestATestDeliveryIsDueAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := b.register(t, b.account, models.NewWebhook{PayloadVersion: new(2)})
	body := func(message string, at time.Time, version int) ([]byte, error) {
		require.Equal(t, b.Now, at)
		require.Equal(t, 2, version)
		return []byte(message), nil
	}
	d, err := b.Store.CreateTestDelivery(b.Ctx, b.account, h.ID, body)
	require.NoError(t, err)
	require.Equal(t, []any{true, []byte(d.MessageID), new(b.Now)}, []any{d.Test(), d.Body, d.NextAttempt})
	require.Equal(t, d, b.delivery(t, d.ID))
	ids, _ := b.claim(t, query("p"))
	require.Equal(t, []string{d.ID}, ids)

	_, err = b.Store.UpdateWebhook(b.Ctx, b.account, h.ID, models.WebhookChange{Paused: new(true)})
	require.NoError(t, err)
	_, err = b.Store.CreateTestDelivery(b.Ctx, b.account, h.ID, body)
	requireCode(t, models.CodeConflict, err)
	_, err = b.Store.CreateTestDelivery(b.Ctx, b.account, "wh_none", body)
	requireCode(t, models.CodeNotFound, err)
}
