package roster

import (
	"testing"

	"rollcall/models/claim/internal/enginetest"
)

func TestStepsComeInAnOrderInWhichNothingIsMissing(t *testing.T) {
	t.Parallel()
	enginetest.Steps(t, newRoster().steps(new(int)))
}
