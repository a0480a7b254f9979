package notifier_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/store"
	"rollcall/notifier"
)

func TestAReplicaFollowsWatchersOfOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.watch(t, models.NewWatcher{})
	store, err := store.Open(t.Context(), d.db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	standing := notifier.NewStanding(store, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		standing.Run(ctx)
	}()
	holds := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return standing.Len() == n }, time.Minute, 5*time.Millisecond)
	}
	holds(1)
	second := d.watch(t, models.NewWatcher{})
	holds(2)
	_, err = d.store.UpdateWatcher(t.Context(), d.account, second.ID, models.WatcherChange{Paused: new(true)})
	require.NoError(t, err)
	holds(1)
	require.NoError(t, d.store.DeleteWatcher(t.Context(), d.account, first.ID))
	holds(0)
	_, err = d.db.Pool.Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`)
	require.NoError(t, err)
	_, err = d.store.UpdateWatcher(t.Context(), d.account, second.ID, models.WatcherChange{Paused: new(false)})
	require.NoError(t, err)
	holds(1)
	stop()
	<-ended
}

// Accounts write watchers side by side, so an older revision may commit after a younger one. The index holds what is committed
// and goes back for the rest.
func TestAnImportUnderWayNeitherKeepsOthersWaitingNorIsMissed(t *testing.T) {
	t.Parallel()
	for _, commits := range []bool{true, false} {
		t.Run(map[bool]string{true: "it commits", false: "it is undone"}[commits], func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			others := d.watch(t, models.NewWatcher{})
			slow := &models.Account{Name: "Slow", Email: "slow@example.org", Plan: models.Enterprise}
			require.NoError(t, d.store.CreateAccount(t.Context(), slow))
			standing := notifier.NewStanding(d.store, slog.New(slog.DiscardHandler))
			holds := func(n int) {
				t.Helper()
				require.NoError(t, standing.CatchUp(t.Context()))
				require.Equal(t, n, standing.Len())
			}
			holds(1)
			tx, err := d.db.Pool.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(t.Context()) }()
			_, err = tx.Exec(t.Context(), `select lock_watchers($1)`, slow.ID)
			require.NoError(t, err)
			_, err = tx.Exec(t.Context(), `insert into watchers (id, account_id, name, events, created_at) values ('alrt_slow', $1, 'Ida Stormcrow', '{booking}', now())`, slow.ID)
			require.NoError(t, err)

			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			second, err := d.store.CreateWatcher(ctx, d.account, &models.NewWatcher{Name: "Tess Marlowe"})
			require.NoError(t, err, "another account does not wait")
			holds(2)
			_, err = d.store.UpdateWatcher(ctx, d.account, others.ID, models.WatcherChange{Paused: new(true)})
			require.NoError(t, err)
			holds(1)
			require.NoError(t, d.store.DeleteWatcher(ctx, d.account, second.ID))
			holds(0)
			if !commits {
				require.NoError(t, tx.Rollback(t.Context()))
				holds(0)
				return
			}
			require.NoError(t, tx.Commit(t.Context()))
			holds(1)
			seen, err := d.store.SettledWatchers(t.Context())
			require.NoError(t, err)
			later, err := d.store.WatchersSince(t.Context(), seen, 10, false)
			require.NoError(t, err)
			require.Empty(t, later, "nothing is read twice when nobody writes")
		})
	}
}

// The outbox: what changed and the job that matches it are there together, or neither is.
func TestTheMatchJobCommitsWithTheChanges(t *testing.T) {
	t.Parallel()
	cutter := &axe{}
	d := newDesk(t, cutter)
	client, err := river.NewClient(riverpgxv5.New(d.store.Pool()), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	d.store.UseJobs(notifier.Queue{Client: client})
	counts := func() (jobs, changes int) {
		row := d.db.Pool.QueryRow(t.Context(), `select (select count(*) from river_job where kind = 'match'), (select count(*) from changes)`)
		require.NoError(t, row.Scan(&jobs, &changes))
		return jobs, changes
	}
	d.load(t, true, other)
	jobs, changes := counts()
	require.Equal(t, []int{1, 1}, []int{jobs, changes})
	d.load(t, true, other)
	jobs, changes = counts()
	require.Equal(t, []int{1, 1}, []int{jobs, changes}, "nothing happened")

	cuts := 0
	for { // before every statement once, until none is left to cut before
		d.clock = d.clock.Add(time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		cutter.left, cutter.fall = cuts+1, cancel
		err := d.reconcile(ctx, t, true, other, person{key: "1"})
		cutter.left = 0
		cancel()
		if err == nil {
			break
		}
		cuts++
		jobs, changes = counts()
		require.Equal(t, []int{1, 1}, []int{jobs, changes}, "cut %d", cuts)
	}
	require.Greater(t, cuts, 20)
	jobs, changes = counts()
	require.Equal(t, []int{2, 2}, []int{jobs, changes})
}

func TestALostJobIsAskedForAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.watch(t, models.NewWatcher{})
	d.load(t, true, other, person{key: "1"}) // without a queue, so without a job
	asked := 0
	sweeper := &notifier.SweepWorker{Store: d.store, Jobs: countingQueue{&asked}}
	require.NoError(t, sweeper.Work(t.Context(), nil))
	require.Zero(t, asked, "its job may still come")
	d.clock = d.clock.Add(2 * time.Minute)
	require.NoError(t, sweeper.Work(t.Context(), nil))
	require.Equal(t, 1, asked)
	d.match(t)
	require.NoError(t, sweeper.Work(t.Context(), nil))
	require.Equal(t, 1, asked)
}

// countingQueue is a db.JobQueue that counts.
type countingQueue struct{ asked *int }

// Match counts.
func (q countingQueue) Match(context.Context, pgx.Tx) error {
	*q.asked++
	return nil
}
