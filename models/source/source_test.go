package source_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

func TestADocumentIsStoredAndItsStateStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	later := b.Now.Add(time.Hour)
	b.ran(t, source.RunEnd{State: source.RunFailed, Failures: 2, NotBefore: &later})
	county := int16(121)
	e, err := b.Store.PutSource(b.Ctx, source.Entry{
		ID: "jail", Title: "Fulton Jail", Kind: "roster", CountyID: &county, Interval: time.Hour, DataInterval: time.Minute, Lists: true,
	})
	require.NoError(t, err)
	require.Equal(t, "Fulton Jail", e.Title)
	require.True(t, e.Enabled)
	require.Equal(t, 2, e.Failures)
	require.Equal(t, &later, e.NotBefore)
	since := b.Now
	b.Now = later
	_, err = b.Store.PutSource(b.Ctx, source.Entry{ID: "jail", Title: "Jail", Kind: "roster", Lists: true})
	require.NoError(t, err)
	row := b.row(t)
	require.Equal(t, &since, row.WholeSince, "it goes on promising complete snapshots")
	require.Nil(t, row.CountyID)
	require.Nil(t, row.IntervalSeconds)
	_, err = b.Store.PutSource(b.Ctx, source.Entry{ID: "jail", Title: "Jail", Kind: "roster"})
	require.NoError(t, err)
	require.Nil(t, b.row(t).WholeSince)

	_, err = b.Store.PutSource(b.Ctx, source.Entry{ID: "jail", Title: "Jail", Kind: "courts"})
	requireCode(t, models.CodeInvalidParameter, err)
}

func TestAHeldRunIsKnownToTheNextRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.ran(t, source.RunEnd{State: source.RunHeld})
	put := func() *source.Entry {
		e, err := b.Store.PutSource(b.Ctx, source.Entry{ID: "jail", Title: "Jail", Kind: "roster"})
		require.NoError(t, err)
		return e
	}
	require.Equal(t, &run, put().HeldRun)
	require.NoError(t, b.Store.ReleaseSource(b.Ctx, "jail"))
	require.Nil(t, put().HeldRun)
}

func TestASwitchedOffSourceIsNotOnSchedule(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Store.EnableSource(b.Ctx, "jail", false))
	ids, err := b.Store.EnabledSources(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"court", "prison"}, ids)
	require.NoError(t, b.Store.EnableSource(b.Ctx, "jail", true))
	ids, err = b.Store.EnabledSources(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"court", "jail", "prison"}, ids)
	requireCode(t, models.CodeNotFound, b.Store.EnableSource(b.Ctx, "nobody", true))

	t.Log("what was taken over has no schedule, and covers no jail")
	b.Exec(t, `insert into source_counties (source_id, county_id) select 'jail', id from counties where slug = 'dade'`)
	before, err := b.Store.JailsCovered(b.Ctx, nil)
	require.NoError(t, err)
	b.Exec(t, `update sources set imports = true where id = 'jail'`)
	requireCode(t, models.CodeInvalidParameter, b.Store.EnableSource(b.Ctx, "jail", true))
	b.Now = b.Now.Add(time.Minute)
	now, err := b.Store.JailsCovered(b.Ctx, nil)
	require.NoError(t, err)
	require.Less(t, now, before)
	require.NoError(t, b.Store.EnableSource(b.Ctx, "jail", false))
}

func TestSourcesAreReadWithTheirFreshness(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `insert into sources (id, title, kind) values ('unused', 'U', 'roster')`)
	b.Exec(t, `insert into source_counties (source_id, county_id) select 'jail', id from counties where slug in ('fulton', 'cobb')`)
	b.Exec(t, `update sources set interval_seconds = 3600 where id = 'jail'`)
	b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now.Add(-time.Minute)})
	all, err := b.Store.Sources(b.Ctx)
	require.NoError(t, err)
	require.Len(t, all, 3, "one that was never used is only known by name")
	jail := all[1]
	require.Equal(t, "jail", jail.ID)
	require.Equal(t, models.SourceOK, jail.State())
	require.Equal(t, time.Hour, jail.Interval)
	require.Equal(t, 60, *jail.LagSeconds())
	require.Len(t, jail.Coverage(), 2)
	require.Equal(t, models.SourceDown, all[0].State(), "it was never read")

	fulton, nowhere := "fulton", "appling"
	f, err := b.Store.Freshness(b.Ctx, models.Roster, &fulton)
	require.NoError(t, err)
	require.Equal(t, jail.DataAt, f.AsOf)
	require.Empty(t, f.Stale)
	f, err = b.Store.Freshness(b.Ctx, models.Roster, &nowhere)
	require.NoError(t, err)
	require.Equal(t, []string{nowhere}, f.Stale)
	_, err = b.Store.Freshness(b.Ctx, models.Roster, new("atlantis"))
	require.Error(t, err)

	byID, err := b.Store.SourcesByID(b.Ctx)
	require.NoError(t, err)
	require.Len(t, byID, 4)
	require.Equal(t, "U", byID["unused"].Title)
}

func TestFilesAreTakenUntilTheyAreForgotten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	run := b.ran(t, source.RunEnd{State: source.RunOK, DataAt: b.Now})
	require.NoError(t, b.Store.TakeFiles(b.Ctx, "jail", run, nil, b.Now))
	require.NoError(t, b.Store.TakeFiles(b.Ctx, "jail", run, map[string]string{"a.csv": "1", "b.csv": "1"}, b.Now))
	b.Now = b.Now.Add(time.Hour)
	require.NoError(t, b.Store.TakeFiles(b.Ctx, "jail", run, map[string]string{"b.csv": "2", "c.csv": "1"}, b.Now))
	require.NoError(t, b.Store.TakeFiles(b.Ctx, "court", run, map[string]string{"a.csv": "9"}, b.Now))
	taken := func() map[string]string {
		m, err := b.Store.TakenFiles(b.Ctx, "jail")
		require.NoError(t, err)
		return m
	}
	require.Equal(t, map[string]string{"a.csv": "1", "b.csv": "2", "c.csv": "1"}, taken())
	require.NoError(t, b.Store.ForgetFiles(b.Ctx, "jail", []string{"a.csv", "b.csv"}, b.Now))
	require.Equal(t, map[string]string{"b.csv": "2", "c.csv": "1"}, taken(), "b.csv was taken later")
}

func TestTheHighestNumberOfKeysIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelBooking, modelBooking2)
	b.Exec(t, `update roster_claims set key = 'B-' || record * 7`)
	n, err := b.Store.HighestNumber(b.Ctx, "jail", `^B-(\d+)$`)
	require.NoError(t, err)
	require.Equal(t, 14, n)
	n, err = b.Store.HighestNumber(b.Ctx, "jail", `^X(\d+)$`)
	require.NoError(t, err)
	require.Zero(t, n)
}

func TestInstantsOfTheFutureAreTakenBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Book(t, modelBooking)
	future, past := b.Now.Add(48*time.Hour), b.Now.Add(-time.Hour)
	b.Exec(t, `insert into runs (source_id, state, started_at, snapshot_at, complete) values ('jail', 'ok', $1, $1, true), ('jail', 'ok', $1, $2, true)`, past, future)
	b.Exec(t, `update sources set last_complete = $1 where id = 'jail'`, future)
	b.Exec(t, `update roster_claims set said_at = $1`, future)
	healed, err := b.Store.HealSource(b.Ctx, "jail", b.Now, 15*time.Minute)
	require.NoError(t, err)
	require.Equal(t, []string{"jail"}, healed)
	require.Equal(t, &past, b.row(t).LastComplete)
	var said time.Time
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select said_at from roster_claims`).Scan(&said))
	require.Equal(t, past, said.UTC(), "the newest instant that it has truly reported")
	healed, err = b.Store.HealSource(b.Ctx, "jail", b.Now, 15*time.Minute)
	require.NoError(t, err)
	require.Empty(t, healed)
	_, err = b.Store.HealSource(b.Ctx, "nobody", b.Now, 15*time.Minute)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}
