//go:build !race

// It is arithmetic without goroutines, which the race detector makes many times slower: the ordinary test command runs it.

package match_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/bench/standing"
	"rollcall/match"
)

// floors are what the level normal finds at least of each class of errors with more than 30 bookings, by the rows of the
// goals for pairs: .98 for order, middle names and the like, .95 for one slip and two surnames, .70 for spellings and two
// slips, .50 for what no table has. A class that is not here has the lowest.
var floors = map[string]float64{
	"order without comma": 0.98, "middle initial": 0.98, "suffix placed": 0.98, "accents": 0.98, "blank inside first name": 0.98,
	"truncated without comma": 0.98, "extras in brackets": 0.98, "particle dropped": 0.98, "middle name in error": 0.95, "spaced prefix": 0.95,
	"letters exchanged": 0.95, "key beside": 0.95, "misread letters": 0.95, "half of a hyphened surname": 0.95, "one of two surnames": 0.95,
	"typo and middle dropped": 0.95, "first name cut off": 0.95, "transliterated": 0.7, "two slips, other order": 0.7, "nickname and typo": 0.7,
	"first name spelled, another list": 0.7, "surname heard alike, another list": 0.7, "spelled, middle name on one side": 0.7,
	"by the middle name, with a slip": 0.7,
}

const lowestFloor = 0.5

// initialFloor is what strict finds at least of initials alone: beside a common surname one is anybody's, and strict leaves it out.
const initialFloor = 0.27

// A group whose names say less has lower recall, by the goal of 3 points at most, and as much more as chance makes of some hundred
// bookings.
const behind, chance = 0.03, 0.02

func TestFloorsOfClassesAndOrigins(t *testing.T) {
	t.Parallel()
	r, err := standing.Measure(standing.Set{Tables: "tables", Half: labelled.HeldOut, Seed: 53, Watchers: 60_000, Bookings: 24_000})
	require.NoError(t, err)
	for _, level := range []match.Level{match.Strict, match.Normal, match.Wide} {
		for class, found := range r.RecallBy(level, r.Classes, func(h *standing.Hit) string { return h.Class }) {
			floor, listed := floors[class]
			switch {
			case r.Classes[class] <= 30:
				continue
			case level == match.Strict && class == "first initial, no middle name":
				floor = initialFloor
			case !listed:
				floor = lowestFloor
			case level == match.Strict:
				floor -= 0.05 // strict promises less recall: .92 for .97
			}
			require.GreaterOrEqual(t, found, floor-0.01, "%s, %s of %d", level, class, r.Classes[class])
		}
		average := r.Of(level).Recall
		for origin, found := range r.RecallBy(level, r.Origins, func(h *standing.Hit) string { return h.Origin }) {
			t.Logf("%s, %q: %.3f, all %.3f", level, origin, found, average)
			require.GreaterOrEqual(t, found, average-behind-chance, "%s, %s of %d", level, origin, r.Origins[origin])
		}
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
	korean := slices.IndexFunc(eased, func(e standing.Eased) bool { return e.Origin == "korean" })
	require.NotEqual(t, -1, korean)
	require.Less(t, eased[korean].Recall, eased[korean].All-0.015, "one threshold for all finds fewer of these")
	require.InDelta(t, 2, eased[korean].Nats, 1)
}
