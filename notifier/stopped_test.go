package notifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// waitingAgain puts every delivery so far on its second attempt.
func (d *desk) waitingAgain(tb testing.TB) {
	tb.Helper()
	_, err := d.db.Pool.Exec(tb.Context(), `update deliveries set state = 'failed', attempts = 1, failures = 1 where state = 'pending'`)
	require.NoError(tb, err)
}

// dismiss says of the newest hit of a watcher that it is someone else.
func (d *desk) dismiss(tb testing.TB, watcher string) *models.Hit {
	tb.Helper()
	hits, err := d.store.Hits(tb.Context(), d.account, watcher, models.Page{Limit: 1})
	require.NoError(tb, err)
	hit, err := d.store.Feedback(tb.Context(), d.account, hits[0].ID, models.Dismiss)
	require.NoError(tb, err)
	return hit
}

func (d *desk) pause(tb testing.TB, watcher string, paused bool) {
	tb.Helper()
	_, err := d.store.UpdateWatcher(tb.Context(), d.account, watcher, models.WatcherChange{Paused: &paused})
	require.NoError(tb, err)
}

func (d *desk) replayable(tb testing.TB, webhook string) int {
	tb.Helper()
	n, err := d.store.Replay(tb.Context(), d.account, models.Replay{WebhookID: webhook, DryRun: true})
	require.NoError(tb, err)
	return n
}

func TestDismissingAHitEndsTheRetriesAboutThatPersonAndNoOther(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	h := d.register(t, models.NewWebhook{})
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", dob: "1971-11-30"}) // a namesake
	d.list(t, other, person{key: "1", dob: "1971-11-30"}, person{key: "2", dob: "1990-02-03", name: "QUILLFEATHER, MARLOWE JAY"})
	d.list(t, other, person{key: "1", dob: "1971-11-30"}, person{key: "2", dob: "1990-02-03", name: "QUILLFEATHER, MARLOWE JAY"}, person{key: "3", dob: "1990-02-03"})
	d.waitingAgain(t)

	hit := d.dismiss(t, w.ID)
	require.Equal(t, []string{"booking dropped dismissed", "booking dropped dismissed", "booking failed"}, d.standing(t),
		"the stay that was dismissed, and the other one of the same birth")
	require.Zero(t, d.replayable(t, h.ID))
	var of, same *models.Delivery
	for _, s := range d.deliveries(t) {
		var record string
		require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select b.id from events e join bookings b on b.rid = e.rid where e.id = $1`, s.EventID).Scan(&record))
		switch {
		case record == hit.RecordID:
			of = s
		case s.State == models.DeliveryDropped:
			same = s
		}
	}
	_, err := d.store.Redeliver(t.Context(), d.account, of.ID)
	require.Equal(t, models.CodeConflict, models.CodeOf(err))

	_, err = d.store.Feedback(t.Context(), d.account, hit.ID, models.Confirm)
	require.NoError(t, err)
	require.Zero(t, d.replayable(t, h.ID), "a replay of what an outage left must not bring them all back")
	for _, s := range []*models.Delivery{of, same} {
		again, err := d.store.Redeliver(t.Context(), d.account, s.ID)
		require.NoError(t, err, "the verdict was taken back")
		require.Equal(t, models.DeliveryPending, again.State)
	}
}

func TestPausingAWatcherEndsItsRetriesUntilTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	h := d.register(t, models.NewWebhook{})
	w := d.watch(t, models.NewWatcher{})
	d.watch(t, models.NewWatcher{Label: new("another desk")})
	d.list(t, other, person{key: "1"})
	d.waitingAgain(t)
	d.pause(t, w.ID, true)
	require.Equal(t, []string{"booking dropped paused", "booking failed"}, d.standing(t))
	require.Zero(t, d.replayable(t, h.ID), "while it is paused nothing is sent for it")
	for _, s := range d.deliveries(t) {
		if s.State == models.DeliveryDropped {
			_, err := d.store.Redeliver(t.Context(), d.account, s.ID)
			require.Equal(t, models.CodeConflict, models.CodeOf(err))
		}
	}
	d.pause(t, w.ID, false)
	require.Equal(t, []string{"booking dropped paused", "booking failed"}, d.standing(t), "the end of a pause makes up for nothing by itself")
	require.Equal(t, 1, d.replayable(t, h.ID))
}

func TestWhatIsMatchedWhileAHitIsDismissedIsNotSent(t *testing.T) {
	t.Parallel()
	for range 8 {
		d := newDesk(t)
		d.list(t, other)
		d.register(t, models.NewWebhook{})
		w := d.watch(t, models.NewWatcher{})
		d.list(t, other, person{key: "1", bond: 100_00})
		d.load(t, true, other, person{key: "1", bond: 200_00})
		matched := make(chan error, 1)
		go func() {
			_, err := d.matcher.Drain(t.Context())
			matched <- err
		}()
		d.dismiss(t, w.ID)
		require.NoError(t, <-matched)
		for _, s := range d.deliveries(t) {
			require.Equal(t, models.DeliveryDropped, s.State, s.Kind)
			require.Equal(t, models.DropDismissed, *s.Reason)
		}
	}
}
