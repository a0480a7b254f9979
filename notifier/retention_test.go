package notifier_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/alert"
	"rollcall/notifier"
)

const day = 24 * time.Hour

// expire lets so much time go by and deletes what is over then.
func (d *desk) expire(tb testing.TB, later time.Duration) {
	tb.Helper()
	d.clock = d.clock.Add(later)
	w := &notifier.ExpireWorker{Store: d.store, Keep: alert.Retention{Deliveries: 90 * day, Events: 730 * day}, Log: slog.New(slog.DiscardHandler)}
	require.NoError(tb, w.Work(tb.Context(), nil))
}

// count counts the rows of a table.
func (d *desk) count(tb testing.TB, table string) (n int) {
	tb.Helper()
	require.NoError(tb, d.db.Pool.QueryRow(tb.Context(), `select count(*) from `+table).Scan(&n))
	return n
}

func TestWhatAlertsLeaveBehindExpires(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{})
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"}, person{key: "2", name: "MOONSAIL, ORLA"})
	d.waiting(t, "delivered")
	d.list(t, other, person{key: "2", name: "MOONSAIL, ORLA"})
	require.Equal(t, "booking release", d.kinds(t))
	changes := d.count(t, "changes")

	d.expire(t, 89*day)
	require.Equal(t, []int{2, 2, 1, changes}, []int{len(d.deliveries(t)), d.count(t, "events"), d.count(t, "attempts"), d.count(t, "changes")}, "nothing is over")
	d.expire(t, 2*day)
	require.Equal(t, []string{"release pending"}, d.standing(t), "what is not final is kept")
	require.Equal(t, []int{2, 0, 2}, []int{d.count(t, "events"), d.count(t, "attempts"), d.count(t, "changes")}, "of changes those remain that somebody was told of")
	d.waiting(t, "delivered")
	d.expire(t, 600*day)
	require.Equal(t, []int{0, 2, 1}, []int{len(d.deliveries(t)), d.count(t, "events"), d.count(t, "hits")})
	d.expire(t, 40*day)
	for _, table := range []string{"events", "hits", "changes", "change_batches", "deliveries", "attempts"} {
		require.Zero(t, d.count(t, table), table)
	}
}

func TestAStayThatGoesOnIsNotForgotten(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1"})
	d.expire(t, 1000*day)
	require.Equal(t, "booking", d.kinds(t))
	// A correction there and back: who was told of the booking is told no second time.
	d.list(t, other, person{key: "1", name: "MOONSAIL, ORLA"})
	d.list(t, other, person{key: "1"})
	require.Equal(t, "booking", d.kinds(t))
}

func TestADismissalOutlastsWhatItWasOf(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	w := d.watch(t, models.NewWatcher{})
	d.list(t, other, person{key: "1", who: "P1"})
	d.list(t, other)
	hits, err := d.store.Hits(t.Context(), d.account, w.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	_, err = d.store.Feedback(t.Context(), d.account, hits[0].ID, models.Dismiss)
	require.NoError(t, err)
	d.expire(t, 1000*day)
	require.Empty(t, d.fired(t))
	d.list(t, other, person{key: "9", who: "P1", booked: d.clock})
	require.Empty(t, d.fired(t))
}

func TestHowASourceStoodLastIsKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.list(t, other)
	_, err := d.db.Pool.Exec(t.Context(), `update sources set enabled = true`)
	require.NoError(t, err)
	d.clock = d.clock.Add(day)
	noted, err := d.store.NoteSources(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, noted)
	d.match(t)
	d.expire(t, 1000*day)
	noted, err = d.store.NoteSources(t.Context())
	require.NoError(t, err)
	require.Zero(t, noted, "it is stale as before")
}
