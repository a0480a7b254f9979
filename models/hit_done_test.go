package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheTrailSaysAnswersInWords(t *testing.T) {
	t.Parallel()
	for answer, says := range map[models.HitFeedback]string{
		models.Confirm: "hit confirmed", models.Dismiss: "hit marked as not them", models.Unsure: "hit answer undone",
	} {
		require.Equal(t, says, answer.Done())
	}
}
