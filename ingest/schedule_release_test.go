package ingest_test

import (
	"context"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/schedule"
	"rollcall/models/source"
)

// A release that an operator decided is applied by whoever works the jobs, once its minute is over: exactly the held snapshot.
func TestADecidedReleaseIsAppliedWhenItsMinuteIsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "shrinking", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	require.Equal(t, source.RunHeld, b.runSource(s, "roster.csv", roster(5), day.AddDate(0, 0, 1)).State)
	worker := &schedule.ReleaseWorker{
		Releases: b.store, Now: b.store.Now, Limit: func(string) time.Duration { return time.Minute },
		Release: func(ctx context.Context, _ string, d ingest.Decision) (*ingest.Report, error) {
			return b.runner.Release(ctx, s, b.heldCounty(s), d) //nolint:contextcheck // the helper has the test's
		},
	}
	work := func(r *source.Release) {
		t.Helper()
		require.NoError(t, worker.Work(t.Context(), &river.Job[schedule.ReleaseArgs]{Args: schedule.ReleaseArgs{Release: r.ID, Source: r.SourceID}}))
	}
	in := func() int { return one[int](b, `select count(*) from bookings where status = 'booked'`) }
	outcome := func() source.ReleaseOutcome {
		last, err := b.store.LastRelease(t.Context(), s.ID)
		require.NoError(t, err)
		if last.Outcome == nil {
			return ""
		}
		return *last.Outcome
	}

	t.Log("not before its time, and never once it is undone")
	r, err := b.store.DecideRelease(t.Context(), source.Release{SourceID: s.ID, Actor: "ada@example.org"}, time.Minute)
	require.NoError(t, err)
	work(r)
	require.Equal(t, 20, in())
	require.NoError(t, b.store.UndoRelease(t.Context(), s.ID))
	b.now = b.now.Add(2 * time.Minute)
	work(r)
	require.Equal(t, 20, in())
	require.Equal(t, "held", string(b.state(s.ID)))

	t.Log("while the source is being read it waits, and can be undone")
	r, err = b.store.DecideRelease(t.Context(), source.Release{SourceID: s.ID, Actor: "ada@example.org"}, time.Minute)
	require.NoError(t, err)
	b.now = b.now.Add(time.Minute)
	unlock, ok, err := b.store.LockSource(t.Context(), s.ID)
	require.NoError(t, err)
	require.True(t, ok)
	work(r)
	require.Empty(t, outcome())
	unlock()
	due, err := b.store.DueReleases(t.Context())
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Nil(t, due[0].StartedAt)

	t.Log("then it is applied, once")
	work(r)
	require.Equal(t, source.ReleaseApplied, outcome())
	require.Equal(t, 5, in())
	require.NotEqual(t, "held", string(b.state(s.ID)))
	runs := one[int](b, `select count(*) from runs`)
	work(r)
	require.Equal(t, runs, one[int](b, `select count(*) from runs`))
}
