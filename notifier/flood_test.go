package notifier_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// flooded is a desk with ten deliveries, of which a limit of four a minute delays six.
func flooded(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.list(t, other)
	d.register(t, models.NewWebhook{})
	for i := range 10 {
		d.watch(t, models.NewWatcher{Label: new(strconv.Itoa(i))})
	}
	d.limit(t, 4)
	d.list(t, other, person{key: "1"})
	return d
}

func (d *desk) limit(tb testing.TB, n int) {
	tb.Helper()
	_, err := d.store.UpdateAccount(tb.Context(), d.account, models.AccountChange{FloodLimit: &n})
	require.NoError(tb, err)
}

// due tells in how many seconds the deliveries under way are due, those that are due already as 0.
func (d *desk) due(tb testing.TB) []float64 {
	tb.Helper()
	var out []float64
	for _, s := range d.deliveries(tb) {
		if s.NextAttempt != nil {
			out = append(out, max(s.NextAttempt.Sub(d.clock), 0).Seconds())
		}
	}
	slices.Sort(out)
	return out
}

func TestAnotherFloodLimitMovesWhatWaitsForTheOldOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit int
		want  []float64
	}{
		"a higher one brings it nearer":    {8, []float64{0, 0, 0, 0, 0, 0, 0, 0, 7.5, 15}},
		"a lower one moves it further out": {2, []float64{0, 0, 0, 0, 30, 60, 90, 120, 150, 180}},
		"none frees it":                    {0, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		"the same one leaves it":           {4, []float64{0, 0, 0, 0, 15, 30, 45, 60, 75, 90}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := flooded(t)
			d.limit(t, c.limit)
			require.Equal(t, c.want, d.due(t))
		})
	}
}

func TestWhatComesAfterANewFloodLimitQueuesBehindWhatWaits(t *testing.T) {
	t.Parallel()
	d := flooded(t)
	d.limit(t, 8)
	d.clock = d.clock.Add(-30 * time.Minute) // so that it is found at the same moment
	d.list(t, other, person{key: "1"}, person{key: "2"})
	require.Equal(t, []float64{0, 0, 0, 0, 0, 0, 0, 0, 7.5, 15, 22.5, 30, 37.5, 45, 52.5, 60, 67.5, 75, 82.5, 90}, d.due(t))
}

func TestANewFloodLimitLeavesRetriesOnTheirClock(t *testing.T) {
	t.Parallel()
	d := flooded(t)
	_, err := d.db.Pool.Exec(t.Context(), `update deliveries set state = 'failed', attempts = 1, failures = 1, next_attempt = $1 where next_attempt <= $2`, d.clock.Add(5*time.Minute), d.clock)
	require.NoError(t, err)
	d.limit(t, 0)
	require.Equal(t, []float64{0, 0, 0, 0, 0, 0, 300, 300, 300, 300}, d.due(t))
}
