package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

func TestGuarantee8FilesOfADeltaThatCameWhileItWasHeldAreReadAfterwards(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.run("court-delta", "1.txt", clerkCase("MG-1", "1", ""), day)
	require.NoError(t, b.store.HoldSource(t.Context(), "court-delta", "the clerk moves", b.now))
	for i, text := range []string{clerkCase("MG-2", "1", ""), clerkHearing("MG-2", "1", "5", "09:00", ""), clerkRemoval("MG-2", "5") + clerkCase("MG-3", "1", "")} {
		b.now = b.now.Add(time.Minute)
		require.Equal(t, source.RunHeld, b.run("court-delta", "held.txt", text, day.Add(time.Duration(i+1)*time.Hour)).State)
	}
	waiting, err := b.store.WaitingRuns(t.Context(), "court-delta")
	require.NoError(t, err)
	require.Len(t, waiting, 3)
	s, err := ingest.Load("court-delta")
	require.NoError(t, err)
	b.release(s)
	waiting, err = b.store.WaitingRuns(t.Context(), "court-delta")
	require.NoError(t, err)
	require.Empty(t, waiting)
	require.Equal(t, 3, one[int](b, `select count(*) from court_cases`), "what waited is read with the release")
	r := b.run("court-delta", "2.txt", clerkCase("MG-4", "1", ""), day.Add(5*time.Hour))
	require.Equal(t, source.RunOK, r.State, r.String())
	require.Equal(t, 4, one[int](b, `select count(*) from court_cases`))
	require.Equal(t, []string{"1"}, b.calendar("MG-2"), "the hearing was taken back in a later file")
	runs := one[int](b, `select count(*) from runs where part_of is null`)
	b.run("court-delta", "3.txt", clerkCase("MG-5", "1", ""), day.Add(6*time.Hour))
	require.Equal(t, runs+1, one[int](b, `select count(*) from runs where part_of is null`), "nothing waits any more")
}
