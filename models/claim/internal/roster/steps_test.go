package roster

import (
	"testing"

	"rollcall/models/claim/internal/engine"
	"rollcall/models/claim/internal/enginetest"
)

func TestStepsComeInAnOrderInWhichNothingIsMissing(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]engine.Step{
		"a snapshot": newRoster().steps(new(int)),
		"a takeover": (&bookingImport{roster: newRoster()}).steps(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Steps(t, steps)
		})
	}
}
