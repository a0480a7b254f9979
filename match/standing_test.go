package match_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/bench/labelled"
)

// alert is a hit of the labelled standing set.
type alert struct {
	p     float64
	right bool
}

// standing matches the labelled bookings at the wide level and returns the hits, likeliest first, with the number of
// watched people booked.
func standing(t *testing.T, seed uint64, watchers, bookings int) (alerts []alert, watched int) {
	t.Helper()
	g, err := labelled.New("tables", seed, labelled.HeldOut)
	require.NoError(t, err)
	set := g.Standing(watchers, bookings)
	x := match.NewIndex()
	all := make([]match.Watcher, len(set.Watchers))
	for i, w := range set.Watchers {
		all[i] = match.Watcher{ID: w.ID, Name: w.Name, Level: match.Wide}
	}
	x.Add(all...)
	for _, b := range set.Bookings {
		hits, _ := x.Match(nil, &match.Booking{Name: match.Parse(b.Name)})
		for _, h := range hits {
			alerts = append(alerts, alert{h.Probability, set.Truth[b.ID] == h.ID})
		}
	}
	slices.SortFunc(alerts, func(a, b alert) int { return cmp.Compare(b.p, a.p) })
	return alerts, len(set.Truth)
}

func TestLevelsKeepTheirPromiseOnStandingBookings(t *testing.T) {
	t.Parallel()
	const bookings = 10_000
	alerts, watched := standing(t, 11, 50_000, bookings)
	at := func(l match.Level) (precision, recall, falsePerThousand float64) {
		right, all := 0.0, 0.0
		for _, a := range alerts {
			if a.p >= l.Threshold() {
				all++
				if a.right {
					right++
				}
			}
		}
		t.Logf("%-6s precision %.4f recall %.4f false alerts per 1,000 bookings %.1f", l, right/all, right/float64(watched), (all-right)*1000/bookings)
		return right / all, right / float64(watched), (all - right) * 1000 / bookings
	}
	precision, recall, _ := at(match.Strict)
	require.GreaterOrEqual(t, precision, 0.99)
	require.GreaterOrEqual(t, recall, 0.9)
	_, recall, wrong := at(match.Normal)
	require.GreaterOrEqual(t, recall, 0.95)
	require.LessOrEqual(t, wrong, 1.2)
	_, recall, _ = at(match.Wide)
	require.GreaterOrEqual(t, recall, 0.97)
}
