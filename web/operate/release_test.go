package operate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestALaterRunIsNotTakenForTheOneThatAppliedARelease(t *testing.T) {
	t.Parallel()
	ended := time.Date(2026, 11, 29, 6, 0, 0, 0, time.UTC)
	began := ended.Add(-time.Second)
	released := &releaseShown{Release: &source.Release{StartedAt: &began, EndedAt: &ended, Outcome: new(source.ReleaseApplied)}}
	run := func(id int64, after time.Duration) runLine {
		return runLine{Run: &source.Run{ID: id, State: source.RunOK, Started: ended.Add(after)}}
	}
	runs := []runLine{run(3, 2*time.Minute), run(2, time.Minute), run(1, -time.Minute)}
	require.EqualValues(t, 2, appliedBy(released, runs).ID)
	require.Nil(t, appliedBy(released, runs[:2]), "whether another one came before them is not known")
	require.Nil(t, appliedBy(released, nil))
}
