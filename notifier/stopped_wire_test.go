package notifier

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// hit makes the hit that the watcher's deliveries are of.
func (o *office) hit(tb testing.TB) string {
	tb.Helper()
	_, err := o.db.Pool.Exec(tb.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at) select 'hit_1', $1, $2, rid, 0.97, '{}', $3 from bookings`, o.account, o.watcher, o.now())
	require.NoError(tb, err)
	return "hit_1"
}

// The request was on the wire when the owner decided: it may land, and that was the last of it.
func TestWhatIsOnTheWireWhenItsWatcherIsStoppedIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reason string
		answer int
		stop   func(*office) error
	}{
		"the hit is dismissed, the attempt fails": {"dismissed", 503, func(o *office) error {
			_, err := o.store.Feedback(t.Context(), o.account, "hit_1", models.Dismiss)
			return err
		}},
		"the hit is dismissed, the attempt is taken": {"dismissed", 200, func(o *office) error {
			_, err := o.store.Feedback(t.Context(), o.account, "hit_1", models.Dismiss)
			return err
		}},
		"the watcher is paused": {"paused", 503, func(o *office) error {
			_, err := o.store.UpdateWatcher(t.Context(), o.account, o.watcher, models.WatcherChange{Paused: new(true)})
			return err
		}},
		"the account is suspended": {"plan", 503, func(o *office) error {
			_, err := o.store.SuspendAccount(t.Context(), o.account, "unpaid")
			return err
		}},
		"the account leaves the plan": {"plan", 503, func(o *office) error {
			_, err := o.store.UpdateAccount(t.Context(), o.account, models.AccountChange{Plan: new(models.Free)})
			return err
		}},
		"the watcher is deleted": {"cancelled", 503, func(o *office) error { return o.store.DeleteWatcher(t.Context(), o.account, o.watcher) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := &clock{at: moment}
			o := newOffice(t, clock.now)
			in, handler := o.inbox(c.answer)
			arrived, answer := make(chan struct{}, 8), make(chan struct{})
			e := o.serve(t, false, func(w http.ResponseWriter, r *http.Request) {
				arrived <- struct{}{}
				<-answer
				handler(w, r)
			})
			o.post(t, 1, o.register(t, e.URL))
			o.hit(t)
			o.sender(t)
			<-arrived
			require.NoError(t, c.stop(o))
			require.Equal(t, map[string]int{"dropped " + c.reason: 1}, o.standing(t), "at once, not when the attempt is over")
			close(answer)
			require.Eventually(t, func() bool {
				_, attempts := o.only(t)
				return len(attempts) == 1
			}, time.Minute, 5*time.Millisecond, "the attempt is kept")
			require.Equal(t, map[string]int{"dropped " + c.reason: 1}, o.standing(t))
			clock.add(time.Hour)
			o.nobodyMayTake(t, "it is over")
			_, requests := in.counts()
			require.Equal(t, 1, requests)
		})
	}
}

// A process took the delivery before the owner decided, and reads it after: it is not sent.
func TestWhatWasTakenButNotYetSentIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	o := newOffice(t, time.Now)
	o.post(t, 1, o.register(t, "https://receiver.example.org"))
	o.hit(t)
	claims, _, err := o.store.ClaimDeliveries(t.Context(), models.ClaimQuery{By: "me", Lease: time.Minute, Most: 1, Each: 1})
	require.NoError(t, err)
	for why, sql := range map[models.DropReason]string{ // as a process would that knew nothing of deliveries
		models.DropPaused:    `update watchers set paused = true`,
		models.DropDismissed: `with w as (update watchers set paused = false) insert into dismissals (hit_id, watcher_id, rid, at) select id, watcher_id, rid, at from hits on conflict do nothing`,
	} {
		_, err = o.db.Pool.Exec(t.Context(), `delete from dismissals`)
		require.NoError(t, err)
		_, err = o.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
		loaded, err := o.store.LoadDeliveries(t.Context(), "me", []string{claims[0].ID})
		require.NoError(t, err)
		require.Len(t, loaded, 1)
		require.Equal(t, why, loaded[0].Drop)
	}
}
