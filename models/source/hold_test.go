package source_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

func TestAHoldKeepsItsFirstReason(t *testing.T) {
	t.Parallel()
	b := setup(t)
	began := b.Now
	require.NoError(t, b.Store.HoldSource(b.Ctx, "jail", "the jail moves", b.Now))
	b.Now = b.Now.Add(time.Hour)
	require.NoError(t, b.Store.HoldSource(b.Ctx, "jail", "another reason", b.Now))
	row := b.row(t)
	require.Equal(t, &began, row.HeldSince)
	require.Equal(t, "the jail moves", *row.Note)
	requireCode(t, models.CodeNotFound, b.Store.HoldSource(b.Ctx, "nobody", "why", b.Now))
	requireCode(t, models.CodeInvalidParameter, b.Store.HoldSource(b.Ctx, "jail", strings.Repeat("x", 301), b.Now))
}

func TestAHoldKnowsTheRunThatBeganIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	held := source.RunEnd{State: source.RunHeld, Note: "it shrank"}
	first := b.ran(t, held)
	b.ran(t, source.RunEnd{State: source.RunHeld, Standing: true})
	require.Equal(t, &first, b.row(t).HeldRun)
	require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	row := b.row(t)
	require.Nil(t, row.HeldSince)
	require.Nil(t, row.HeldRun)
	require.Nil(t, row.ReleasedRun, "nothing of it was applied")

	b.Now = b.Now.Add(time.Hour)
	second := b.ran(t, held)
	require.Equal(t, &second, b.row(t).HeldRun)
	b.ran(t, source.RunEnd{State: source.RunOK, Replay: true, Released: true, ReadAt: b.Now})
	require.Equal(t, &second, b.row(t).ReleasedRun)
	require.Nil(t, b.row(t).HeldSince)
	requireCode(t, models.CodeInvalidParameter, b.Store.ReleaseSource(b.Ctx, "jail"))
	requireCode(t, models.CodeNotFound, b.Store.ReleaseSource(b.Ctx, "nobody"))

	require.NoError(t, b.Store.HoldSource(b.Ctx, "jail", "the jail moves", b.Now))
	require.Nil(t, b.row(t).HeldRun, "an operator holds it")
}

func TestARefusedSourceIsReleased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.ran(t, source.RunEnd{State: source.RunRefused, Note: "a login wall"})
	require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	require.Nil(t, b.row(t).RefusedSince)
}

func TestAHoldAndAnEndOfARunAtOnceBothCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 10 {
		id, err := b.Store.BeginRun(b.Ctx, "jail", b.Now)
		require.NoError(t, err)
		done := make(chan error, 2)
		go func() { done <- b.Store.HoldSource(b.Ctx, "jail", "the jail moves", b.Now) }()
		go func() {
			done <- b.Store.FinishRun(b.Ctx, id, "jail", source.RunEnd{State: source.RunFailed, At: b.Now, Report: []byte(`{}`), Note: "no answer", Failures: 1})
		}()
		require.NoError(t, <-done)
		require.NoError(t, <-done)
		row := b.row(t)
		require.NotNil(t, row.HeldSince)
		require.Equal(t, 1, row.Failures)
		require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	}
}

func TestOperatorsAskAgainAndAcceptColumns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	later := b.Now.Add(time.Hour)
	b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now, HeaderFingerprint: "h"})
	b.ran(t, source.RunEnd{State: source.RunFailed, Failures: 1, NotBefore: &later, Note: "no answer"})
	require.NoError(t, b.Store.AskAgain(b.Ctx, "jail"))
	require.NoError(t, b.Store.AcceptColumns(b.Ctx, "jail"))
	row := b.row(t)
	require.Nil(t, row.NotBefore)
	require.Equal(t, 1, row.Failures)
	require.Nil(t, row.HeaderFingerprint)
	requireCode(t, models.CodeNotFound, b.Store.AskAgain(b.Ctx, "nobody"))
	requireCode(t, models.CodeNotFound, b.Store.AcceptColumns(b.Ctx, "nobody"))
}

func TestAnEmptyPlaceOfFilesIsRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Store.NoteNothingNew(b.Ctx, "jail", b.Now))
	row := b.row(t)
	require.Equal(t, &b.Now, row.LastAttempt)
	require.Nil(t, row.LastSuccess)
	require.Equal(t, "nothing was taken from a file yet", *row.Note)
}

func TestAHeldReplayOfThePastLetsItsSourceGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `update sources set last_complete = $1 where id = 'jail'`, b.Now)
	for _, c := range []struct {
		snapshot time.Time
		holds    bool
	}{{b.Now.Add(-time.Hour), false}, {b.Now, true}} {
		b.ran(t, source.RunEnd{State: source.RunHeld, SnapshotAt: c.snapshot, Note: "it shrank", Replay: true})
		require.Equal(t, c.holds, b.row(t).HeldSince != nil, c.snapshot)
	}
}
