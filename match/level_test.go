package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/bench/standing"
	"rollcall/match"
)

func TestStrictAsksLessOfNamesThatSayLittle(t *testing.T) {
	t.Parallel()
	from := func(l match.Level, name string) float64 {
		n := match.Parse(name)
		return l.From(&n)
	}
	require.InDelta(t, 0.55, from(match.Strict, "KIM, HYUN"), 0.02)
	require.InDelta(t, 0.79, from(match.Strict, "Hung Nguyen"), 0.02)
	lee := from(match.Strict, "Hyun Lee")
	require.Greater(t, lee, from(match.Strict, "Hyun Kim"), "most who are called LEE are not Korean")
	require.Less(t, lee, match.Strict.Threshold())
	for _, name := range []string{"JOHN SMITH", "Garcia, Juan", "MOONSAIL, ORLA", ""} {
		require.InDelta(t, match.Strict.Threshold(), from(match.Strict, name), 0, name)
	}
	for _, l := range []match.Level{match.Normal, match.Wide, match.Any} {
		require.InDelta(t, l.Threshold(), from(l, "KIM, HYUN"), 0, l)
	}
}

// What strict asks less is what the fitting half says: with it no origin is found less than all by more than three in two hundred.
func TestStrictFindsAsManyOfEachOriginOfTheFittingHalf(t *testing.T) {
	t.Parallel()
	set := standing.Set{Tables: "tables", Seed: 54, Watchers: 60_000, Bookings: 24_000, Half: labelled.Training}
	r, err := standing.Measure(set)
	require.NoError(t, err)
	average := r.Of(match.Strict).Recall
	for origin, found := range r.RecallBy(match.Strict, r.Origins, func(h *standing.Hit) string { return h.Origin }) {
		t.Logf("%q: %.3f of %d, all %.3f", origin, found, r.Origins[origin], average)
		require.GreaterOrEqual(t, found, average-0.015-chance, origin)
	}
	eased, err := standing.Ease(set, 1, match.Strict)
	require.NoError(t, err)
	for _, e := range eased {
		if e.Origin == "korean" {
			require.Less(t, e.Recall, e.All-0.015, "one threshold for all finds fewer of these")
			require.InDelta(t, 2, e.Nats, 1)
		}
	}
}
