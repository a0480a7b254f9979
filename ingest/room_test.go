package ingest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// inClear are the documents that lie in clear.
func (b *bundle) inClear() []string {
	b.Helper()
	found, err := filepath.Glob(filepath.Join(b.runner.Dir, "*", "*"))
	require.NoError(b, err)
	return found
}

func TestGuarantee11WhatAKilledRunLeftInClearIsRemovedAndNoOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	first := b.runSource(s, "roster.csv", roster(6), day)
	require.Empty(t, b.inClear(), "a run that ends leaves nothing")
	left := filepath.Join(b.runner.Dir, "run-killed")
	require.NoError(t, os.Mkdir(left, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(left, "document-00000"), []byte("MOONSAIL, ORLA"), 0o600))

	other := *b.runner // of another process, which begins while this one reads
	looked := false
	b.runner.Progress = func(p ingest.Progress) {
		if p.Stage != "reconcile" {
			return
		}
		require.NoDirExists(t, left, "the next run removes it")
		require.NoError(t, os.Mkdir(left, 0o700))
		require.NoError(t, other.EndInterrupted(t.Context()))
		require.NoDirExists(t, left, "so does the next process that starts")
		require.Len(t, b.inClear(), 1, "nobody removes what is being read")
		looked = true
	}
	r, err := b.runner.Replay(t.Context(), s, first.Run)
	require.NoError(t, err)
	require.True(t, looked, r.String())
	require.Equal(t, 6, r.Unchanged, r.String())
	require.Empty(t, b.inClear())
}
