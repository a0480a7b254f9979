//go:build !race

// It is arithmetic without goroutines, which the race detector makes many times slower: the ordinary test command runs it.

package match_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/bench/standing"
	"rollcall/match"
)

// promises are the levels: what one costs at most, in wrong alerts a watcher and year for an average name, and what it
// finds at least on the half to which nothing was fitted.
var promises = []struct {
	level         match.Level
	yearly, floor float64
}{{match.Strict, 0.01, 0.91}, {match.Normal, 0.2, 0.97}, {match.Wide, 1, 0.98}}

// Both halves draw a sixth of the bookings of the documented figures, so costs and thresholds may be off by a little. The
// thresholds are those of the fitting half alone: the other one only shows what they cost and find.
func TestLevelsCostWhatTheyPromise(t *testing.T) {
	t.Parallel()
	for name, half := range map[string]labelled.Half{"fitting": labelled.Training, "held-out": labelled.HeldOut} {
		r, err := standing.Measure(standing.Set{Tables: "tables", Half: half, Seed: 51, Watchers: 60_000, Bookings: 20_000})
		require.NoError(t, err)
		for _, p := range promises {
			derived, got := r.Threshold(p.yearly), r.Of(p.level)
			t.Logf("%s, %s: threshold %.4g, derived %.4g; recall %.4f, wrong alerts a watcher and year %.4f", name, p.level, p.level.Threshold(), derived, got.Recall, got.WrongYearly)
			if half == labelled.Training {
				require.InDelta(t, logit(r.Threshold(0.85*p.yearly)), logit(p.level.Threshold()), 0.9, "%s: go run ./bench/levels --derive 5", p.level)
			}
			require.LessOrEqual(t, got.WrongYearly, 1.5*p.yearly)
			require.GreaterOrEqual(t, got.Recall, p.floor)
		}
	}
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// What the labelled bookings say of a probability is what it says: of those about p, about p are the watched people's.
func TestWatchedProbabilitiesAreCalibrated(t *testing.T) {
	t.Parallel()
	r, err := standing.Measure(standing.Set{Tables: "tables", Half: labelled.HeldOut, Seed: 52, Watchers: 60_000, Bookings: 20_000})
	require.NoError(t, err)
	for _, band := range [][4]float64{{0.003, 0.03, 0.003, 0.15}, {0.03, 0.3, 0.03, 0.5}, {0.3, 0.9, 0.3, 0.95}, {0.9, 1.1, 0.9, 1}} {
		right, all := 0.0, 0.0
		for _, h := range r.Hits {
			if h.Probability < band[0] || h.Probability >= band[1] || h.Kind == standing.Namesake {
				continue
			}
			all++
			if h.Kind == standing.Right {
				right++
			}
		}
		t.Logf("p %.3f to %.3f: %.3f of %.0f are the watched person's", band[0], band[1], right/all, all)
		require.GreaterOrEqual(t, right/all, band[2])
		require.LessOrEqual(t, right/all, band[3])
	}
}
