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

func TestADismissedSpellingStaysSilentUntilItIsTakenBack(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	listed := []person{other}
	books := func(p person) {
		t.Helper()
		listed = append(listed, p)
		d.list(t, listed...)
	}
	d.list(t, listed...)
	h := d.register(t, models.NewWebhook{})
	w := d.watch(t, models.NewWatcher{Level: new(models.LevelWide)})
	newest := func() *models.Hit {
		t.Helper()
		hits, err := d.store.Hits(t.Context(), d.account, w.ID, models.Page{Limit: 1})
		require.NoError(t, err)
		return hits[0]
	}
	booked := func(n int, why string) {
		t.Helper()
		require.Len(t, d.standing(t), n, why)
	}
	const slip = "QUILFEATHER, MARLOWE JAY"
	books(person{key: "1", name: slip, dob: "1971-11-30"})
	booked(1, "the slip fires at first")
	d.waitingAgain(t)
	hit, err := d.store.DismissSpelling(t.Context(), d.account, newest().ID)
	require.NoError(t, err)
	require.Equal(t, []any{new(models.Dismiss), new(models.ThisSpelling)}, []any{hit.Feedback, hit.Scope})
	require.Equal(t, []string{"booking dropped dismissed"}, d.standing(t), "what was under way ends")
	require.Zero(t, d.replayable(t, h.ID))

	books(person{key: "2", name: "Marlowe Jay Quilfeather", dob: "1990-02-03"})
	books(person{key: "3", name: slip})
	booked(1, "whoever is written so, whenever born, is silent")
	books(person{key: "4", name: "QUILLFEATHER, MARLOWE", dob: "1971-11-30"})
	booked(2, "another spelling fires, of the same birth too")
	_, err = d.store.DismissSpelling(t.Context(), d.account, newest().ID)
	require.Equal(t, models.CodeConflict, models.CodeOf(err), "the watched name itself is not silenced")
	require.Nil(t, newest().Feedback, "nothing was noted")

	_, err = d.store.Feedback(t.Context(), d.account, hit.ID, models.Unsure)
	require.NoError(t, err)
	booked(2, "nothing is made up for")
	books(person{key: "5", name: slip, dob: "1955-05-05"})
	booked(3, "later bookings fire again")

	t.Log("said again of the person, it no longer covers the spelling")
	hit, err = d.store.DismissSpelling(t.Context(), d.account, newest().ID)
	require.NoError(t, err)
	again, err := d.store.Feedback(t.Context(), d.account, hit.ID, models.Dismiss)
	require.NoError(t, err)
	require.Equal(t, new(models.ThisPerson), again.Scope)
	books(person{key: "6", name: slip, dob: "1966-06-06"})
	booked(4, "somebody else of that spelling")
	books(person{key: "7", name: slip, dob: "1955-05-05"})
	booked(4, "the person who was dismissed")
	totals, err := d.store.HitTotals(t.Context(), d.account, []string{w.ID})
	require.NoError(t, err)
	require.Equal(t, []int{4, 0, 1}, []int{totals[w.ID].Count, totals[w.ID].Confirmed, totals[w.ID].Dismissed})
}
