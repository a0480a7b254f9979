//go:build !race

// It is arithmetic without goroutines, which the race detector makes many times slower: the ordinary test command runs it.

package watch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/bench/standing"
	"rollcall/match"
	"rollcall/match/watch"
)

// The set is a fraction of the one that the figures are of, so a few alerts more or less are chance.
func TestWrongAlertsAreWhatIsMeasured(t *testing.T) {
	t.Parallel()
	for _, known := range []watch.Known{watch.Age, watch.Year, watch.Date} {
		set := standing.Set{Tables: "../tables", Half: labelled.HeldOut, Seed: 71, Watchers: 60_000, Bookings: 16_000, Known: known}
		r, err := standing.Measure(set)
		require.NoError(t, err)
		one := watch.YearlyBookings / float64(set.Watchers) / float64(set.Bookings-r.Watched)
		for _, level := range []match.Level{match.Strict, match.Normal, match.Wide} {
			got, says := r.Of(level).WrongYearly, watch.Wrong(level, known, watch.YearlyBookings, 1)
			t.Logf("%d, %s: %.4g, said %.4g", known, level, got, says)
			require.LessOrEqual(t, got, 1.5*says+4*one, "%d, %s", known, level)
			require.GreaterOrEqual(t, got, says/1.5-4*one, "%d, %s", known, level)
		}
	}
}

func TestWrongAlertsFallWithWhatNarrows(t *testing.T) {
	t.Parallel()
	all := float64(watch.YearlyBookings)
	require.InDelta(t, 0.2, watch.Wrong(match.Normal, watch.Nothing, all, 1), 1e-9)
	require.InDelta(t, 0.02, watch.Wrong(match.Normal, watch.Nothing, all/10, 1), 1e-9, "a county with a tenth of the bookings")
	require.InDelta(t, 0.2, watch.Wrong(match.Normal, watch.Date, all, 0), 1e-9, "records without a birth are not narrowed")
	for _, level := range []match.Level{match.Strict, match.Normal, match.Wide} {
		for _, known := range []watch.Known{watch.Age, watch.Year, watch.Date} {
			require.Less(t, watch.Wrong(level, known, all, 0.9), watch.Wrong(level, watch.Nothing, all, 0.9))
		}
	}
}

func TestWhatIsKnownOfABirth(t *testing.T) {
	t.Parallel()
	for known, born := range map[watch.Known]match.Birth{
		watch.Nothing: {}, watch.Date: match.ParseBirth("1990-05-17"), watch.Year: match.ParseBirth("1990"), watch.Age: match.BornByAge(34, match.ParseBirth("2026")),
	} {
		require.Equal(t, known, watch.KnownOf(born))
	}
}
