package notifier_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// sentOf tells state and reason of each delivery of a kind, by registration.
func (d *desk) sentOf(tb testing.TB, kind string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	for _, s := range d.deliveries(tb) {
		if s.Kind == kind {
			out[s.WebhookID] = string(s.State)
			if s.Reason != nil {
				out[s.WebhookID] += " " + string(*s.Reason)
			}
		}
	}
	return out
}

// withdrawn is a desk that was told of a release, stops listening, and then the release is withdrawn.
func withdrawn(t *testing.T, taken bool, stop func(d *desk, w *models.Watcher)) (d *desk, h *models.Webhook) {
	t.Helper()
	d = newDesk(t)
	d.list(t, other)
	h = d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeRetraction}})
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	d.list(t, other)
	if taken {
		_, err := d.db.Pool.Exec(t.Context(), `update deliveries set state = 'delivered', attempts = 1, next_attempt = null`)
		require.NoError(t, err)
	}
	stop(d, w)
	d.list(t, other, person{key: "1"})
	return d, h
}

func TestWhoeverWasToldOfAReleaseIsToldThatItIsWithdrawnAndNobodyElse(t *testing.T) {
	t.Parallel()
	dismiss := func(d *desk, w *models.Watcher) { d.dismiss(t, w.ID) }
	pause := func(d *desk, w *models.Watcher) { d.pause(t, w.ID, true) }
	for name, c := range map[string]struct {
		taken bool
		stop  func(*desk, *models.Watcher)
		want  string
	}{
		"the person was dismissed after it":                 {true, dismiss, "pending"},
		"the person was dismissed before anything was sent": {false, dismiss, "dropped dismissed"},
		"the watcher was paused after it":                   {true, pause, "pending"},
		"the watcher was paused before anything was sent":   {false, pause, "dropped paused"},
		"the watcher asks for bookings only by now":         {true, func(d *desk, w *models.Watcher) { d.only(t, w, models.EventBooking) }, "pending"},
		"the watcher was deleted: nothing is sent for it again": {true, func(d *desk, w *models.Watcher) {
			require.NoError(t, d.store.DeleteWatcher(t.Context(), d.account, w.ID))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, h := withdrawn(t, c.taken, c.stop)
			require.Equal(t, c.want, d.sentOf(t, "retraction")[h.ID])
		})
	}
}

// only makes a watcher ask for one kind.
func (d *desk) only(tb testing.TB, w *models.Watcher, kind models.EventKind) {
	tb.Helper()
	_, err := d.store.UpdateWatcher(tb.Context(), d.account, w.ID, models.WatcherChange{Events: &[]models.EventKind{kind}})
	require.NoError(tb, err)
}

func TestARetractionGoesToTheRegistrationsThatHadTheRelease(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	asks := models.NewWebhook{Notices: []models.Notice{models.NoticeRetraction}}
	had, paused, bookings := d.register(t, asks), d.register(t, asks), d.register(t, models.NewWebhook{Notices: asks.Notices, Events: []models.EventKind{models.EventBooking}})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	_, err := d.store.UpdateWebhook(t.Context(), d.account, paused.ID, models.WebhookChange{Paused: new(true)})
	require.NoError(t, err)
	d.list(t, other)
	for _, h := range []*models.Webhook{paused, bookings} {
		_, err := d.store.UpdateWebhook(t.Context(), d.account, h.ID, models.WebhookChange{Paused: new(false), Events: new(models.EventKinds())})
		require.NoError(t, err)
	}
	late := d.register(t, asks)
	d.list(t, other, person{key: "1"})
	sent := d.sentOf(t, "retraction")
	require.Equal(t, map[string]string{had.ID: "pending", paused.ID: "dropped paused"}, sent, "nothing to %s and %s", bookings.ID, late.ID)

	d.clock = d.clock.Add(time.Minute)
	n, err := d.store.Replay(t.Context(), d.account, models.Replay{WebhookID: paused.ID})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, "pending", d.sentOf(t, "retraction")[paused.ID], "who hears of the release by a replay hears of its end too")
}

func TestAWithdrawnReleaseIsNeverSentAgainAlone(t *testing.T) {
	t.Parallel()
	d, h := withdrawn(t, false, func(d *desk, w *models.Watcher) { d.pause(t, w.ID, true) })
	page, err := d.store.Watchers(t.Context(), d.account, models.Page{Limit: 1})
	require.NoError(t, err)
	d.pause(t, page.Watchers[0].ID, false)
	all := d.deliveries(t)
	release := all[slices.IndexFunc(all, func(s *models.Delivery) bool { return s.Kind == "release" })]
	_, err = d.store.Redeliver(t.Context(), d.account, release.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"pending", "pending"}, []string{d.sentOf(t, "release")[h.ID], d.sentOf(t, "retraction")[h.ID]})
}

func TestAPausedWatcherIsToldThatARecordWhichItWasToldOfIsSealed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{Notices: []models.Notice{models.NoticeWithheld}})
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	d.waiting(t, "delivered")
	d.pause(t, w.ID, true)
	d.list(t, other, person{key: "1", withheld: models.WithheldJuvenile})
	require.Contains(t, d.standing(t), "sealed pending", "the receiver has to delete what it keeps")
}
