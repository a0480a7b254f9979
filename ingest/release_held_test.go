package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// fewest is a roster of n of the 20 people, those with the highest numbers.
func fewest(n int) string {
	gone := make([]int, 20-n)
	for i := range gone {
		gone[i] = i
	}
	return roster(20, gone...)
}

// shrunk reads 20 people and a day later the last 10 of them, which is held.
func shrunk(t *testing.T) (*bundle, *ingest.Source, *ingest.Report) {
	t.Helper()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	held := b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, "it shrank from 20 to 10 rows"}, []any{held.State, held.Note})
	return b, s, held
}

func (b *bundle) booked() int {
	b.Helper()
	return one[int](b, `select count(*) from bookings where status = 'booked' and name like 'QUILL%'`)
}

func TestGuarantee4AReleaseAppliesTheHeldSnapshotAndNothingElse(t *testing.T) {
	t.Parallel()
	b, s, held := shrunk(t)
	newest := b.runSource(s, "roster.csv", strings.ReplaceAll(fewest(5), "$500.00", ""), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunHeld, true}, []any{newest.State, newest.Standing})
	r := b.release(s)
	require.Equal(t, []any{held.Run, source.RunOK, true, 10, 0}, []any{r.ReplayOf, r.State, r.Complete, r.Closed, r.Changed}, r.String())
	require.Equal(t, 10, b.booked())
	require.Zero(t, one[int](b, `select count(*) from sources where held_since is not null or note is distinct from $1`, models.NoteReleased))
	_, err := b.runner.Release(t.Context(), s, nil, ingest.Decision{})
	require.ErrorContains(t, err, "is not on hold")
}

func TestGuarantee4WhatComesAfterAReleaseIsJudgedAgainstWhatIsKnownThen(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		then   string
		after  int // hours after the held one
		state  source.RunState
		closed int
	}{
		{"the same file again", fewest(10), 1, source.RunOK, 0},
		{"one more is gone", fewest(9), 1, source.RunOK, 1},
		{"the others are gone", roster(20, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), 1, source.RunHeld, 0},
		{"half are others", roster(20, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), 1, source.RunHeld, 0},
		{"one row is left", fewest(1), 1, source.RunHeld, 0},
		{"as many rows of strangers", strings.ReplaceAll(strings.ReplaceAll(fewest(10), "QUILL", "MOON"), "\nK", "\nM"), 1, source.RunHeld, 0},
		{"as many rows and no bonds", strings.ReplaceAll(fewest(10), "$500.00", ""), 1, source.RunHeld, 0},
		{"a whole file", fewest(19), 1, source.RunOK, 0},
		{"an older file that is whole", fewest(19), -1, source.RunOK, 0},
		{"a file without its end", strings.TrimSuffix(fewest(10), "#end\n"), 1, source.RunPartial, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, s, _ := shrunk(t)
			b.release(s)
			hours := 24 + c.after
			r := b.runSource(s, "roster.csv", c.then, day.Add(time.Duration(hours)*time.Hour))
			require.Equal(t, []any{c.state, c.closed}, []any{r.State, r.Closed}, r.String())
		})
	}
}

func TestGuarantee4ADiscardedSnapshotAppliesNothing(t *testing.T) {
	t.Parallel()
	b, s, _ := shrunk(t)
	b.discard(s)
	require.Equal(t, 20, b.booked())
	require.Equal(t, []any{source.RunHeld, 0}, func() []any {
		r := b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 2))
		return []any{r.State, r.Closed}
	}(), "it is as unusual as before")
	b.discard(s)
	r := b.runSource(s, "roster.csv", fewest(19), day.AddDate(0, 0, 3))
	require.Equal(t, []any{source.RunOK, 1}, []any{r.State, r.Closed}, r.String())
}

func TestAHoldStandsWhereItsSnapshotCanNotBeApplied(t *testing.T) {
	t.Parallel()
	b, s, _ := shrunk(t)
	s.Limits.Rows = 3
	r := b.release(s)
	require.Equal(t, source.RunFailed, r.State, r.String())
	require.Equal(t, "it shrank from 20 to 10 rows", one[string](b, `select note from sources where held_since is not null and held_run is not null`))
	require.Equal(t, 20, b.booked())
	s.Limits.Rows = 0
	require.Equal(t, 10, b.release(s).Closed)
}

func TestAReleaseWithoutItsDocumentsOnlyEndsTheHold(t *testing.T) {
	t.Parallel()
	b, s, held := shrunk(t)
	_, err := b.db.Pool.Exec(t.Context(), `delete from archives where run_id = $1`, held.Run)
	require.NoError(t, err)
	r := b.release(s)
	require.Contains(t, r.Note, "not kept any more")
	require.Equal(t, []any{int64(0), 20}, []any{r.Run, b.booked()})
	require.Zero(t, one[int](b, `select count(*) from sources where held_since is not null`))
}

func TestARenumberedReleaseNeedsAHeldSnapshot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(5), day)
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "the jail moves", b.now))
	_, err := b.runner.Release(t.Context(), s, nil, ingest.Decision{Renumbered: true})
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
	require.Equal(t, 1, one[int](b, `select count(*) from sources where held_since is not null`))
}
