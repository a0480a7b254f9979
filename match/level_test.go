package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
