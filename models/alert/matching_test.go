package alert_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/models/internal/modelstest"
)

// match takes all open changes and hands them to fn.
func (b *bundle) match(t *testing.T, fn func(*alert.Matching, []*models.Change) error) int {
	t.Helper()
	n, err := b.Store.MatchChanges(b.Ctx, 100, func(_ context.Context, m *alert.Matching, changes []*models.Change) error { return fn(m, changes) })
	require.NoError(t, err)
	return n
}

// none makes nothing of changes.
func none(*alert.Matching, []*models.Change) error { return nil }

func TestOpenChangesAreTakenOnceWithTheirFacts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"})
	id := b.change(t, "fulton-2026-000001", models.EventBooking, nil)
	open, err := b.Store.HasOpenChanges(b.Ctx, 0)
	require.NoError(t, err)
	require.False(t, open, "none is older than now")
	b.Now = b.Now.Add(time.Hour)
	open, err = b.Store.HasOpenChanges(b.Ctx, time.Minute)
	require.NoError(t, err)
	require.True(t, open)

	sorry := errors.New("sorry")
	_, err = b.Store.MatchChanges(b.Ctx, 1, func(context.Context, *alert.Matching, []*models.Change) error { return sorry })
	require.ErrorIs(t, err, sorry)
	county, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	n := b.match(t, func(_ *alert.Matching, changes []*models.Change) error {
		require.Len(t, changes, 1, "an error leaves it open")
		c := changes[0]
		require.True(t, c.BookedAt.Equal(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)))
		c.BookedAt = time.Time{}
		require.Equal(t, &models.Change{
			ID: id, Kind: models.EventBooking, DetectedAt: b.Now.Add(-time.Hour), SourceID: "jail", WatcherRev: 7, RID: new(b.rid(t, "fulton-2026-000001")),
			RecordID: "fulton-2026-000001", County: county, Name: "MOONSAIL, WREN", Dob: modelstest.Day(t, "1990-02-03"), BirthYear: new(1990),
			Charges: []string{"THEFT"}, BondCents: new(int64(150000)), Old: &models.OldIdentity{Name: "MOONSALE, WREN", BirthYear: new(1991)},
		}, c)
		return nil
	})
	require.Equal(t, 1, n)
	require.Zero(t, b.match(t, none))
	open, err = b.Store.HasOpenChanges(b.Ctx, time.Minute)
	require.NoError(t, err)
	require.False(t, open)
}

func TestProcessesThatMatchAtOnceShareNoChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"})
	released := b.change(t, "fulton-2026-000001", models.EventRelease, nil)
	b.change(t, "fulton-2026-000001", models.EventRetraction, &released)
	b.withhold(t, "fulton-2026-000001")

	n := b.match(t, func(_ *alert.Matching, changes []*models.Change) error {
		require.Equal(t, released, changes[0].ID)
		require.True(t, changes[0].Withheld)
		// What takes it back waits until it is matched, and what is held is left to its holder.
		n, err := b.Store.MatchChanges(b.Ctx, 100, func(context.Context, *alert.Matching, []*models.Change) error { return nil })
		require.NoError(t, err)
		require.Zero(t, n)
		return nil
	})
	require.Equal(t, 1, n)
	require.Equal(t, 1, b.match(t, func(_ *alert.Matching, changes []*models.Change) error {
		require.Equal(t, []any{models.EventRetraction, &released}, []any{changes[0].Kind, changes[0].Retracts})
		return nil
	}))
}

// deliverAll makes an event of each change for the watcher, and a delivery of each to a registration.
func deliverAll(ctx context.Context, m *alert.Matching, changes []*models.Change, w *models.Watcher, h *models.Webhook) ([]*alert.NewEvent, error) {
	var events []*alert.NewEvent
	for _, c := range changes {
		events = append(events, &alert.NewEvent{Change: c, Watcher: w, AccountID: w.AccountID, Probability: 0.75, Reasons: []string{"same name"}})
	}
	events, err := m.WriteEvents(ctx, events)
	if err != nil {
		return nil, err
	}
	var out []*alert.NewDelivery
	for _, e := range events {
		out = append(out, &alert.NewDelivery{Event: e, Webhook: h, Body: []byte(e.ID)})
	}
	return events, m.WriteDeliveries(ctx, out)
}

func TestAMatchWritesHitsEventsAndDeliveriesOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001")
	gone := b.watch(t, a.account, models.NewWatcher{})
	require.NoError(t, b.Store.DeleteWatcher(b.Ctx, a.account, gone.ID))
	hook, ended := b.register(t, a.account), b.register(t, a.account)
	require.NoError(t, b.Store.DeleteWebhook(b.Ctx, a.account, ended.ID))
	b.change(t, "fulton-2026-000001", models.EventBooking, nil)
	var made []*alert.NewEvent
	b.match(t, func(m *alert.Matching, changes []*models.Change) error {
		watchers, err := m.Watchers(b.Ctx, []string{a.watcher.ID, gone.ID})
		require.NoError(t, err)
		require.Equal(t, map[string]*models.Watcher{a.watcher.ID: a.watcher}, watchers)
		hooks, err := m.Webhooks(b.Ctx, []string{a.account})
		require.NoError(t, err)
		require.Equal(t, map[string][]*models.Webhook{a.account: {hook}}, hooks)
		made, err = deliverAll(b.Ctx, m, changes, a.watcher, hook)
		require.NoError(t, err)
		require.Len(t, made, 1)
		again, err := m.WriteEvents(b.Ctx, []*alert.NewEvent{{Change: changes[0], Watcher: a.watcher, AccountID: a.account, Probability: 0.5}})
		require.NoError(t, err)
		require.Empty(t, again, "a watcher is told of a change once")
		heard, err := m.Heard(b.Ctx, []string{made[0].ID, "evt_none"})
		require.NoError(t, err)
		require.Equal(t, models.Heard{made[0].ID: {hook.ID: nil}}, heard)
		return nil
	})
	events, err := b.Store.EventsAfter(b.Ctx, a.account, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []string{made[0].ID}, idsOf(events))
	hit, err := b.Store.Hit(b.Ctx, a.account, *made[0].HitID)
	require.NoError(t, err)
	require.Equal(t, []any{0.5, []string{}}, []any{hit.Probability, hit.Reasons}, "a correction renews why the watcher matches")
	page, err := b.Store.Deliveries(b.Ctx, a.account, models.DeliveryFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Deliveries, 1)
	d := page.Deliveries[0]
	require.Equal(t, &models.Delivery{
		ID: d.ID, AccountID: a.account, WebhookID: hook.ID, Way: models.ByWebhook, EventID: &made[0].ID, MessageID: made[0].ID, WatcherID: &a.watcher.ID, Kind: "booking",
		Body: []byte(made[0].ID), Match: &models.DeliveryMatch{Probability: 0.75, Level: "normal", Reasons: []string{"same name"}},
		State: models.DeliveryPending, Round: 1, NextAttempt: &b.Now, CreatedAt: b.Now, UpdatedAt: b.Now,
	}, d)

	b.Exec(t, `update deliveries set state = 'dropped', reason = 'paused', next_attempt = null`)
	b.change(t, "fulton-2026-000001", models.EventBondChange, nil)
	b.match(t, func(m *alert.Matching, _ []*models.Change) error {
		heard, err := m.Heard(b.Ctx, []string{made[0].ID})
		require.NoError(t, err)
		require.Equal(t, models.Heard{made[0].ID: {hook.ID: new(models.DropPaused)}}, heard)
		return nil
	})
}

func TestTheFloodLimitSpreadsDeliveriesAndAnotherPlansThemAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000004")
	hook := b.register(t, a.account)
	_, err := b.Store.UpdateAccount(b.Ctx, a.account, models.AccountChange{FloodLimit: new(2)})
	require.NoError(t, err)
	for _, id := range []string{"fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000004"} {
		b.change(t, id, models.EventBooking, nil)
	}
	b.match(t, func(m *alert.Matching, changes []*models.Change) error {
		_, err := deliverAll(b.Ctx, m, changes, a.watcher, hook)
		return err
	})
	due := func() (in []time.Duration) {
		t.Helper()
		rows, err := b.Pool.Query(b.Ctx, `select next_attempt from deliveries order by next_attempt`)
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var at time.Time
			require.NoError(t, rows.Scan(&at))
			in = append(in, at.Sub(b.Now))
		}
		require.NoError(t, rows.Err())
		return in
	}
	require.Equal(t, []time.Duration{0, 0, 30 * time.Second, time.Minute}, due())
	// alert.Replan
	_, err = b.Store.UpdateAccount(b.Ctx, a.account, models.AccountChange{FloodLimit: new(0)})
	require.NoError(t, err)
	require.Equal(t, []time.Duration{0, 0, 0, 0}, due())
}

func TestWhoWasToldIsToldOfWhatTakesItBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001", "fulton-2026-000002")
	booking := b.event(t, a, "fulton-2026-000001", models.EventBooking)
	release := b.event(t, a, "fulton-2026-000001", models.EventRelease)
	var released int64
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select change_id from events where id = $1`, release).Scan(&released))
	retracted := b.change(t, "fulton-2026-000001", models.EventRetraction, &released)
	// The booking went into another one, which must not be shown any more.
	b.Exec(t, `update bookings set merged_into = (select rid from bookings where id = 'fulton-2026-000002') where id = 'fulton-2026-000001'`)
	sealed := b.change(t, "fulton-2026-000002", models.EventWithheld, nil)
	b.match(t, func(m *alert.Matching, _ []*models.Change) error {
		told, err := m.NotifiedOf(b.Ctx, []int64{retracted, sealed})
		require.NoError(t, err)
		require.Len(t, told, 2)
		for i, change := range []int64{retracted, sealed} {
			got := told[i]
			require.Equal(t, []any{change, a.watcher.ID, release, models.EventRelease, true}, []any{got.ChangeID, got.WatcherID, got.EventID, got.Kind, got.At.Equal(b.Now)}, "the newest event")
		}
		dismissed, err := m.Dismissed(b.Ctx, []string{a.watcher.ID}, []int64{b.rid(t, "fulton-2026-000001")})
		require.NoError(t, err)
		require.Empty(t, dismissed)
		return nil
	})
	require.NotEqual(t, booking, release)
}

func TestADismissalNamesTheRecordsOfTheSamePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003")
	b.event(t, a, "fulton-2026-000001", models.EventBooking)
	b.Exec(t, `insert into corrections_records (cid, gdc_id, source_id, name, name_key, status, category, categories, first_seen, last_seen, last_change, gen)
 values (1, '1000001', 'prison', 'MOONSAIL, WREN', 'moonsail wren', 'incarcerated', 'offender', '{offender}', now(), now(), now(), 1)`)
	link := `insert into gdc_links (rid, cid, probability, confidence, origin, linked_at) select rid, 1, 1, $2, 'matched', now() from bookings where id = $1`
	b.Exec(t, link, "fulton-2026-000001", "high")
	b.Exec(t, link, "fulton-2026-000002", "high")
	hits, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, models.Page{Limit: 1})
	require.NoError(t, err)
	_, err = b.Store.Feedback(b.Ctx, a.account, hits[0].ID, models.Dismiss)
	require.NoError(t, err)
	same, another := b.rid(t, "fulton-2026-000002"), b.rid(t, "fulton-2026-000003")
	b.change(t, "fulton-2026-000002", models.EventBooking, nil)
	b.match(t, func(m *alert.Matching, _ []*models.Change) error {
		by, err := m.Dismissed(b.Ctx, []string{a.watcher.ID, "alrt_none"}, []int64{same, another})
		require.NoError(t, err)
		county, err := b.Store.Counties().BySlug("fulton")
		require.NoError(t, err)
		require.Equal(t, map[string][]models.Dismissal{a.watcher.ID: {
			{RID: b.rid(t, "fulton-2026-000001"), Name: "MOONSAIL, WREN", CountyID: county.ID, People: []int64{same}},
		}}, by)
		return nil
	})
}

func TestASourceThatTurnsIsNotedOnceAndConcernsWhomItFeeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fed, elsewhere, deaf := b.tell(t), b.Account(t, "elsewhere@example.org"), b.tell(t)
	b.watch(t, elsewhere, models.NewWatcher{County: new("ben-hill")})
	b.register(t, fed.account, models.NoticeSourceStale)
	b.register(t, elsewhere, models.NoticeSourceStale)
	b.register(t, deaf.account)
	b.Exec(t, `insert into source_counties (source_id, county_id) select 'jail', id from counties where slug = 'fulton'`)
	b.Exec(t, `update sources set interval_seconds = 3600, last_success = $1 where id = 'jail'`, b.Now.Add(-4*time.Hour))

	const processes = 4
	noted, failed := make([]int, processes), make([]error, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() { noted[i], failed[i] = b.Store.NoteSources(b.Ctx) })
	}
	all.Wait()
	total := 0
	for i := range processes {
		require.NoError(t, failed[i])
		total += noted[i]
	}
	require.Equal(t, 1, total)

	blind := func(kind models.EventKind) {
		t.Helper()
		require.Equal(t, 1, b.match(t, func(m *alert.Matching, changes []*models.Change) error {
			require.Equal(t, []any{kind, "jail", (*int64)(nil)}, []any{changes[0].Kind, changes[0].SourceID, changes[0].RID})
			found, err := m.StaleAccounts(b.Ctx, changes[0])
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.NotNil(t, found[0].LastSuccess)
			found[0].LastSuccess = nil
			require.Equal(t, models.StaleAccount{AccountID: fed.account, Watchers: 1, Source: "Jail", Counties: []string{"Fulton"}}, found[0])
			_, err = m.WriteEvents(b.Ctx, []*alert.NewEvent{{Change: changes[0], AccountID: fed.account}})
			return err
		}))
	}
	blind(models.EventSourceStale)
	b.Exec(t, `update sources set last_success = $1 where id = 'jail'`, b.Now)
	n, err := b.Store.NoteSources(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	blind(models.EventSourceRecovered)
	n, err = b.Store.NoteSources(b.Ctx)
	require.NoError(t, err)
	require.Zero(t, n)
}
