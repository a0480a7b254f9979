package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

func TestARunIsKeptWithItsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.ran(t, source.RunEnd{State: source.RunHeld, Report: []byte(`{"fetched": 7}`), Note: "it shrank"})
	require.Equal(t, &b.Now, b.row(t).LastAttempt)
	r, err := b.Store.Run(b.Ctx, first)
	require.NoError(t, err)
	require.JSONEq(t, `{"fetched": 7}`, string(r.Report))
	r.Report = nil
	require.Equal(t, &source.Run{ID: first, SourceID: "jail", State: source.RunHeld, Started: b.Now, Finished: &b.Now, Note: new("it shrank")}, r)

	again, err := b.Store.BeginReplay(b.Ctx, "jail", first, b.Now)
	require.NoError(t, err)
	runs, err := b.Store.Runs(b.Ctx, "jail", 10)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	require.Equal(t, again, runs[0].ID, "newest first")
	require.Equal(t, &first, runs[0].ReplayOf)
	require.Equal(t, source.RunRunning, runs[0].State)
	runs, err = b.Store.Runs(b.Ctx, "jail", 1)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	_, err = b.Store.Run(b.Ctx, 404)
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.BeginRun(b.Ctx, "nobody", b.Now)
	require.Error(t, err)
}

func TestTheLargestSnapshotOfADayIsTheMeasure(t *testing.T) {
	t.Parallel()
	b := setup(t)
	none, err := b.Store.MostRows(b.Ctx, "jail", b.Now)
	require.NoError(t, err)
	require.Nil(t, none)
	insert := `insert into runs (source_id, state, started_at, snapshot_at, complete, documents, report) values ('jail', 'ok', $1, $1, $2, $3, jsonb_build_object('fetched', $4::int))`
	b.Exec(t, insert, b.Now.Add(-30*time.Hour), true, 5, 900)
	b.Exec(t, insert, b.Now.Add(-5*time.Hour), true, 3, 80)
	b.Exec(t, insert, b.Now.Add(-4*time.Hour), false, 2, 500)
	b.Exec(t, insert, b.Now.Add(-2*time.Hour), true, 4, 70)
	most, err := b.Store.MostRows(b.Ctx, "jail", b.Now)
	require.NoError(t, err)
	require.Equal(t, 80, *most)
	b.Exec(t, `update sources set released_run = (select max(id) - 1 from runs) where id = 'jail'`)
	most, err = b.Store.MostRows(b.Ctx, "jail", b.Now)
	require.NoError(t, err)
	require.Equal(t, 70, *most, "what an operator let go is no measure")

	for _, c := range []struct {
		at, before time.Time
		want       source.PastDocuments
	}{
		{b.Now, time.Time{}, source.PastDocuments{Complete: 4, Previous: 4}},
		{b.Now.Add(-2 * time.Hour), time.Time{}, source.PastDocuments{Complete: 4, Same: true, Previous: 2}},
		{b.Now, b.Now.Add(-3 * time.Hour), source.PastDocuments{Complete: 4}},
		{b.Now.Add(-40 * time.Hour), time.Time{}, source.PastDocuments{}},
	} {
		past, err := b.Store.PastDocuments(b.Ctx, "jail", c.at, c.before)
		require.NoError(t, err)
		require.Equal(t, c.want, past)
	}
}

func TestRunsThatAStandingHoldKeptBackWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	standing := source.RunEnd{State: source.RunHeld, Standing: true, Report: []byte(`{"standing": true}`)}
	late, early, gone := b.ran(t, standing), b.ran(t, standing), b.ran(t, standing)
	b.archived(t, late, 1, b.Now)
	b.archived(t, early, 1, b.Now.Add(-time.Hour))
	waiting := func() []int64 {
		ids, err := b.Store.WaitingRuns(b.Ctx, "jail")
		require.NoError(t, err)
		return ids
	}
	require.Equal(t, []int64{early, late}, waiting(), "of %d nothing is archived", gone)
	replay, err := b.Store.BeginReplay(b.Ctx, "jail", early, b.Now)
	require.NoError(t, err)
	b.finish(t, replay, source.RunEnd{State: source.RunPartial, Replay: true})
	require.Equal(t, []int64{late}, waiting())
	b.Exec(t, `update sources set whole_since = now() where id = 'jail'`)
	require.Empty(t, waiting(), "its next snapshot reports everybody")
}

func TestASourceIsReadByOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	unlock, ok, err := b.Store.LockSource(b.Ctx, "jail")
	require.NoError(t, err)
	require.True(t, ok)
	_, ok, err = b.Store.LockSource(b.Ctx, "jail")
	require.NoError(t, err)
	require.False(t, ok)
	other, ok, err := b.Store.LockSource(b.Ctx, "court")
	require.NoError(t, err)
	require.True(t, ok)
	other()
	unlock()
	unlock, ok, err = b.Store.LockSource(b.Ctx, "jail")
	require.NoError(t, err)
	require.True(t, ok)
	unlock()
}

func TestRunsOfKilledProcessesEndAndTheirJobsAreFree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `insert into river_job (kind, queue, state, args, attempt, attempted_at, max_attempts)
		values ('feed', 'feeds', 'running', '{"source": "jail"}', 1, now(), 3), ('feed', 'feeds', 'running', '{"source": "court"}', 1, now(), 3)`)
	for _, id := range []string{"jail", "court"} {
		_, err := b.Store.BeginRun(b.Ctx, id, b.Now)
		require.NoError(t, err)
	}
	unlock, ok, err := b.Store.LockSource(b.Ctx, "court")
	require.NoError(t, err)
	require.True(t, ok)
	defer unlock()
	ended, err := b.Store.EndInterrupted(b.Ctx, b.Now)
	require.NoError(t, err)
	require.Equal(t, []string{"jail"}, ended, "the court's is being read")
	runs, err := b.Store.Runs(b.Ctx, "jail", 1)
	require.NoError(t, err)
	require.Equal(t, source.RunFailed, runs[0].State)
	require.Equal(t, "the process that read it ended", *runs[0].Note)
	var free []string
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Table("river_job").Where("state = 'available'").Pluck("args->>'source'", &free).Error)
	require.Equal(t, []string{"jail"}, free)

	require.NoError(t, b.Store.EndInterruptedOf(b.Ctx, "court", b.Now))
	runs, err = b.Store.Runs(b.Ctx, "court", 1)
	require.NoError(t, err)
	require.Equal(t, source.RunFailed, runs[0].State)
}
