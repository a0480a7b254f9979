package alert_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

func TestHitsAreListedNewestFirstWhileTheirRecordsArePublished(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.tell(t, "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003"), b.tell(t)
	for i, id := range []string{"fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003"} {
		b.Event(t, modelstest.Event{Watcher: a.watcher.ID, Record: id, Kind: models.EventBooking, At: b.Now.Add(time.Duration(i) * time.Minute)})
	}
	b.event(t, other, "fulton-2026-000001", models.EventBooking)
	records := func(p models.Page) []string {
		t.Helper()
		hits, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, p)
		require.NoError(t, err)
		ids := []string{}
		for _, h := range hits {
			ids = append(ids, h.RecordID)
		}
		return ids
	}
	require.Equal(t, []string{"fulton-2026-000003", "fulton-2026-000002", "fulton-2026-000001"}, records(models.Page{Limit: 10}))
	require.Equal(t, []string{"fulton-2026-000002"}, records(models.Page{Limit: 1, Offset: 1}))
	all, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, &models.Hit{
		ID: all[0].ID, AccountID: a.account, WatcherID: a.watcher.ID, RID: b.rid(t, "fulton-2026-000003"), RecordID: "fulton-2026-000003",
		Probability: 0.9123, Reasons: []string{"same name"}, At: b.Now.Add(2 * time.Minute), State: models.HitUnread,
	}, all[0])

	b.withhold(t, "fulton-2026-000003")
	require.Equal(t, []string{"fulton-2026-000002", "fulton-2026-000001"}, records(models.Page{Limit: 10}))
	require.Equal(t, []string{"fulton-2026-000002", "fulton-2026-000001"}, records(models.Page{Limit: 10, After: all[0].ID}), "after a hit that is withheld meanwhile")
	require.Equal(t, []string{"fulton-2026-000001"}, records(models.Page{Limit: 10, After: all[1].ID}))
	totals, err := b.Store.HitTotals(b.Ctx, a.account, []string{a.watcher.ID, other.watcher.ID, "alrt_none"})
	require.NoError(t, err)
	require.Equal(t, map[string]models.HitTotal{a.watcher.ID: {Count: 2, Last: new(b.Now.Add(time.Minute)), Unread: 2}}, totals)
	found, err := b.Store.HitsByID(b.Ctx, a.account, []string{all[2].ID, all[0].ID, "hit_none", all[1].ID})
	require.NoError(t, err)
	require.Equal(t, []*models.Hit{all[2], all[1]}, found)

	one, err := b.Store.Hit(b.Ctx, a.account, all[1].ID)
	require.NoError(t, err)
	require.Equal(t, all[1], one)
	for _, id := range []string{all[0].ID, "hit_none"} {
		_, err = b.Store.Hit(b.Ctx, a.account, id)
		requireCode(t, models.CodeNotFound, err)
	}
	_, err = b.Store.Hit(b.Ctx, other.account, all[1].ID)
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.Hits(b.Ctx, other.account, other.watcher.ID, models.Page{Limit: 1, After: all[1].ID})
	requireCode(t, models.CodeInvalidParameter, err)
}

func TestAHitSaysWhetherBirthsWereCompared(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.Account(t, "desk@example.org")
	w := b.watch(t, account, models.NewWatcher{BirthYear: new(1990)})
	b.Book(t, modelstest.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN"})
	b.Event(t, modelstest.Event{Watcher: w.ID, Record: "fulton-2026-000001", Kind: models.EventBooking})
	compared := func() bool {
		hits, err := b.Store.Hits(b.Ctx, account, w.ID, models.Page{Limit: 1})
		require.NoError(t, err)
		return hits[0].BornCompared()
	}
	require.False(t, compared())
	b.Exec(t, `update bookings set birth_year = 1990`)
	require.False(t, compared(), "what was learnt since was not compared then")
	b.Exec(t, `update hits set reasons = '{"surname agrees","birth year agrees"}'`)
	require.True(t, compared())
}

func TestFeedbackIsNotedAndADismissalEndsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.tell(t, "fulton-2026-000001", "fulton-2026-000002")
	hook := b.register(t, a.account)
	first, second := b.event(t, a, "fulton-2026-000001", models.EventBooking), b.event(t, a, "fulton-2026-000002", models.EventBooking)
	ids := b.Deliver(t, modelstest.Delivery{Webhook: hook.ID, Event: first}, modelstest.Delivery{Webhook: hook.ID, Event: second})
	b.Exec(t, `update bookings set dob = '1990-02-03' where id = 'fulton-2026-000001'`)
	hits, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, models.Page{Limit: 2})
	require.NoError(t, err)
	of := func(record string) string {
		for _, h := range hits {
			if h.RecordID == record {
				return h.ID
			}
		}
		return ""
	}
	hit := of("fulton-2026-000001")
	h, err := b.Store.Feedback(b.Ctx, a.account, hit, "DISMISS")
	require.NoError(t, err)
	require.Equal(t, []any{new(models.Dismiss), &b.Now}, []any{h.Feedback, h.FeedbackAt})
	state := func(id string) models.DeliveryState {
		d, err := b.Store.Delivery(b.Ctx, a.account, id)
		require.NoError(t, err)
		return d.State
	}
	require.Equal(t, []models.DeliveryState{models.DeliveryDropped, models.DeliveryPending}, []models.DeliveryState{state(ids[0]), state(ids[1])}, "of that person, and of nobody else")
	_, err = b.Store.Feedback(b.Ctx, a.account, hit, models.Dismiss)
	require.NoError(t, err, "again is fine")
	dismissals := func() (n int) {
		require.NoError(t, b.Pool.QueryRow(b.Ctx, `select count(*) from dismissals where hit_id = $1`, hit).Scan(&n))
		return n
	}
	require.Equal(t, 1, dismissals())
	h, err = b.Store.Feedback(b.Ctx, a.account, hit, models.Confirm)
	require.NoError(t, err)
	require.Equal(t, new(models.Confirm), h.Feedback)
	require.Zero(t, dismissals(), "another verdict takes it back")

	_, err = b.Store.Feedback(b.Ctx, a.account, hit, "maybe")
	requireCode(t, models.CodeInvalidRequest, err)
	_, err = b.Store.Feedback(b.Ctx, b.tell(t).account, hit, models.Confirm)
	requireCode(t, models.CodeNotFound, err)
	b.withhold(t, "fulton-2026-000001")
	_, err = b.Store.Feedback(b.Ctx, a.account, hit, models.Unsure)
	requireCode(t, models.CodeNotFound, err)
	var verdict string
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select feedback from hits where id = $1`, hit).Scan(&verdict))
	require.Equal(t, "confirm", verdict, "nothing was noted")
}
