// Package property decides how many trials those properties get that cost a database or seconds of a processor.
// They are a few in the ordinary run of the tests, and as many as wished before a release. Its Model says what a
// series of snapshots must lead to. It is for tests only. Cheap properties call rapid themselves.
package property

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	"rollcall/internal/race"
)

// All is the environment variable of rapid that sets the number of trials of every property. Without it Check
// makes as few as its caller says, and rapid.Check makes 100.
const All = "RAPID_CHECKS"

// Check is rapid.Check with few trials, or with those of All; with a third of few under the race detector. A trial that
// fails is repeated and made smaller as usual.
func Check(t *testing.T, few int, prop func(*rapid.T)) {
	t.Helper()
	if race.On {
		few = (few + 2) / 3
	}
	_, all := os.LookupEnv(All)
	passed, failed := 0, false
	rapid.Check(t, func(r *rapid.T) {
		if !all && !failed && passed >= few {
			return
		}
		sound := false
		defer func() { failed = failed || !sound }() // from then on rapid looks for a smaller one, however many that takes
		prop(r)
		sound = !r.Failed()
		passed++
	})
	if !all && !failed {
		t.Logf("of these %d made a trial; %s sets how many do", passed, All)
	}
}
