package court

import (
	"testing"

	"rollcall/models/claim/internal/enginetest"
)

func TestStepsComeInAnOrderInWhichNothingIsMissing(t *testing.T) {
	t.Parallel()
	enginetest.Steps(t, (&courtRun{}).steps())
}
