package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// decided is a release of the source jail that was decided now, to be applied after a minute.
func (b *bundle) decided(t *testing.T) *source.Release {
	t.Helper()
	r, err := b.Store.DecideRelease(b.Ctx, source.Release{SourceID: "jail", Actor: "ada@example.org"}, time.Minute)
	require.NoError(t, err)
	return r
}

// due are the ids of the releases whose time has come.
func (b *bundle) due(t *testing.T) (ids []int64) {
	t.Helper()
	all, err := b.Store.DueReleases(b.Ctx)
	require.NoError(t, err)
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}

// outcome is how the last release of the source jail ended; empty: it is open.
func (b *bundle) outcome(t *testing.T) source.ReleaseOutcome {
	t.Helper()
	r, err := b.Store.LastRelease(b.Ctx, "jail")
	require.NoError(t, err)
	if r.Outcome == nil {
		return ""
	}
	return *r.Outcome
}

func TestAReleaseIsDueAfterAMinuteAndOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Store.DecideRelease(b.Ctx, source.Release{SourceID: "jail", Actor: "ada@example.org"}, time.Minute)
	requireCode(t, models.CodeInvalidParameter, err) // it is not held
	_, err = b.Store.DecideRelease(b.Ctx, source.Release{SourceID: "nobody", Actor: "ada@example.org"}, time.Minute)
	requireCode(t, models.CodeNotFound, err)
	last, err := b.Store.LastRelease(b.Ctx, "jail")
	require.NoError(t, err)
	require.Nil(t, last)

	run := b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it shrank"})
	r := b.decided(t)
	require.Equal(t, &run, r.HeldRun)
	_, err = b.Store.DecideRelease(b.Ctx, source.Release{SourceID: "jail", Actor: "eve@example.org"}, time.Minute)
	requireCode(t, models.CodeConflict, err)
	require.NotNil(t, b.row(t).HeldSince, "nothing is applied yet")
	require.Empty(t, b.due(t))
	early, _, err := b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Nil(t, early)

	b.Now = b.Now.Add(time.Minute)
	require.Equal(t, []int64{r.ID}, b.due(t))
	begun, _, err := b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, r.ID, begun.ID)
	require.EqualError(t, b.Store.UndoRelease(b.Ctx, "jail"), "too late to undo: the release is being applied")
	open, err := b.Store.OpenReleases(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, r.ID, open["jail"].ID)
	require.NoError(t, b.Store.PutReleaseBack(b.Ctx, r.ID))
	_, again, err := b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.False(t, again)
	_, again, err = b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.True(t, again)
	require.Equal(t, []int64{r.ID}, b.due(t), "a process that dies while it applies it leaves it to another")

	// That process had applied it.
	b.ran(t, source.RunEnd{State: source.RunOK, Replay: true, Released: true, ReadAt: b.Now})
	begun, _, err = b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Nil(t, begun)
	require.Equal(t, source.ReleaseApplied, b.outcome(t))
	require.Empty(t, b.due(t))
	require.ErrorContains(t, b.Store.UndoRelease(b.Ctx, "jail"), "too late to undo: the hold ended at ")
}

func TestAnUndoneReleaseIsNeverApplied(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ran(t, source.RunEnd{State: source.RunHeld, Note: "it shrank"})
	r := b.decided(t)
	require.NoError(t, b.Store.UndoRelease(b.Ctx, "jail"))
	require.EqualError(t, b.Store.UndoRelease(b.Ctx, "jail"), "no release is waiting, so there is nothing to undo")
	b.Now = b.Now.Add(time.Hour)
	require.Empty(t, b.due(t))
	begun, _, err := b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Nil(t, begun)
	require.Equal(t, source.ReleaseUndone, b.outcome(t))
	require.NotNil(t, b.row(t).HeldSince)
	require.Equal(t, r.ID+1, b.decided(t).ID, "it may be decided again")
}

func TestAReleaseEndsNoOtherHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Store.HoldSource(b.Ctx, "jail", "the jail moves", b.Now))
	_, err := b.Store.DecideRelease(b.Ctx, source.Release{SourceID: "jail", Actor: "ada@example.org", Renumbered: true}, time.Minute)
	requireCode(t, models.CodeInvalidParameter, err) // there is no snapshot
	r := b.decided(t)
	require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	b.Now = b.Now.Add(time.Minute)
	require.NoError(t, b.Store.HoldSource(b.Ctx, "jail", "it moves again", b.Now))
	begun, _, err := b.Store.BeginRelease(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Nil(t, begun)
	require.Equal(t, source.ReleaseOvertaken, b.outcome(t))
	require.NotNil(t, b.row(t).HeldSince)

	r = b.decided(t)
	require.NoError(t, b.Store.EndRelease(b.Ctx, r.ID, source.ReleaseFailed, "its documents cannot be read"))
	require.Equal(t, source.ReleaseFailed, b.outcome(t))
}
