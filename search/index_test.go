package search_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/models"
	"rollcall/search"
)

func TestListsByIndexAndBySQLAreTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	b := setup(t, func(b *bundle) { b.put(t, r, 150, 200) })
	b.run(t)
	for range 12 {
		b.put(t, r, 5, 250)
		b.delete(t, r, 200)
		for f := range b.index {
			b.caughtUp(t, f)
		}
		for range 12 {
			q := ask(t, r)
			require.Equal(t, q(b.plain), q(b.indexed))
		}
	}
}

func TestChangesAreSeenWhileOthersSearch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2))
	b := setup(t, func(*bundle) {}) // the indexes begin empty
	b.run(t)
	done, stop := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	for i := range uint64(3) {
		searching.Go(func() {
			r := rand.New(rand.NewPCG(3, i))
			last := int64(0)
			for done.Err() == nil {
				q := models.IndexQuery{Words: match.Words([]string{"smith", "jo", "ann lee", ""}[r.IntN(4)]), Offset: r.IntN(20), Limit: 10}
				page, ok := b.index[models.Roster].Find(q)
				if !ok || page.Gen < last || len(page.Keys) != min(max(page.Total-q.Offset, 0), q.Limit) {
					t.Errorf("%+v after generation %d: %+v, %v", q, last, page, ok)
					return
				}
				last = page.Gen
			}
		})
	}
	for range 10 {
		b.put(t, r, 10, 60)
		b.delete(t, r, 60)
		b.caughtUp(t, models.Roster)
		q := ask(t, r)
		require.Equal(t, q(b.plain)[models.Roster], q(b.indexed)[models.Roster])
	}
	stop()
	searching.Wait()
}

// Who is booked changes all the time, how many never does: a page of kept records beside the total of another
// moment would show.
func TestAPageOfKeptRecordsIsOfOneSnapshot(t *testing.T) {
	t.Parallel()
	const booked = 20
	b := setup(t, func(b *bundle) {
		for i := range 2 * booked {
			b.exec(t, putBooking, i, 121, "X", "x", i%5, i%2, false)
		}
	})
	b.run(t)
	done, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for range 3 {
		asking.Go(func() {
			f, p := models.RosterFilter{Status: new(models.Booked)}, models.Page{Limit: 200}
			for done.Err() == nil {
				page, err := b.indexed.ListBookings(done, f, p)
				if done.Err() != nil {
					return
				}
				if err != nil || page.Total != booked || len(page.Records) != booked ||
					slices.ContainsFunc(page.Records, func(k *models.Booking) bool { return k.Status != models.Booked }) {
					t.Errorf("not a page of one snapshot: %v, %v", page, err)
					return
				}
			}
		})
	}
	for range 60 {
		b.exec(t, `with g as (update generations set gen = gen + 1 where family = 'roster' returning gen)
 update bookings set released_at = case when released_at is null then now() end, gen = g.gen from g`)
	}
	stop()
	asking.Wait()
}

func TestManyChangesAtOnceAreLoadedAndMerged(t *testing.T) {
	t.Parallel()
	b := setup(t, func(*bundle) {})
	b.run(t)
	for round := range 4 {
		b.exec(t, `with g as (update generations set gen = gen + 1 where family = 'roster' returning gen)
 insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen)
 select i, 'fulton-2026-' || i, 121, 'jail', 'X', 'name' || i % 100, timestamptz '2026-01-01Z' + i % 977 * interval '1 minute', now(), now(), now(), gen
 from g, generate_series($1::int * 3000, $1::int * 3000 + 4999) i
 on conflict (rid) do update set name_key = 'changed' || excluded.name_key, gen = excluded.gen`, round)
		b.caughtUp(t, models.Roster)
		for _, q := range []string{"name42", "changed", "7"} {
			f, p := models.RosterFilter{Name: &q}, models.Page{Limit: 200, Offset: 10 * round}
			want, err := b.plain.ListBookings(t.Context(), f, p)
			require.NoError(t, err)
			got, err := b.indexed.ListBookings(t.Context(), f, p)
			require.NoError(t, err)
			require.Equal(t, want.Records, got.Records)
			require.Equal(t, want.Total, got.Total)
		}
	}
}

func TestSQLAnswersUntilTheIndexIsLoaded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 4))
	b := setup(t, func(b *bundle) { b.put(t, r, 20, 20) })
	_, ok := b.index[models.Roster].Find(models.IndexQuery{Limit: 1})
	require.False(t, ok)
	require.Error(t, b.index[models.Roster].CatchUp(t.Context(), 1), "nobody runs the index")
	q := ask(t, r)
	require.Equal(t, q(b.plain), q(b.indexed))
}

func TestAnIndexLoadsOnceTheDatabaseIsThere(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	b := setup(t, func(b *bundle) { b.put(t, r, 20, 20) })
	b.exec(t, `alter view published_bookings rename to away`)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = b.index[models.Roster].Run(ctx) })
	defer running.Wait()
	defer stop()
	require.Error(t, b.index[models.Roster].CatchUp(t.Context(), 1), "its table cannot be read")
	b.exec(t, `alter view away rename to published_bookings`)
	b.caughtUp(t, models.Roster)
	_, ok := b.index[models.Roster].Find(models.IndexQuery{Limit: 1})
	require.True(t, ok)
}

func TestTheFeedOutlivesItsConnection(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 6))
	b := setup(t, func(*bundle) {})
	changes, leave := b.indexed.Changes(t.Context(), models.Roster, slog.New(slog.DiscardHandler))
	defer leave()
	require.Zero(t, next(t, changes), "the generation at first")
	b.put(t, r, 1, 1)
	require.EqualValues(t, 1, next(t, changes))
	b.exec(t, `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'
 or datname = current_database() and query like 'select family, gen from generations%'`)
	b.put(t, r, 1, 1)
	require.EqualValues(t, 2, next(t, changes), "read again after the connection was lost")
	b.put(t, r, 1, 1)
	require.EqualValues(t, 3, next(t, changes), "announced on the new connection")
}

func next(t *testing.T, changes <-chan int64) int64 {
	t.Helper()
	select {
	case gen := <-changes:
		return gen
	case <-time.After(time.Minute):
		require.FailNow(t, "no change was told")
		return 0
	}
}

func TestNamesAreNotLogged(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	b := setup(t, func(b *bundle) { b.put(t, r, 20, 20) })
	var log strings.Builder
	ix := search.New(b.indexed, models.Roster, slog.New(slog.NewTextHandler(&log, nil)))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = ix.Run(ctx) })
	require.NoError(t, ix.CatchUp(t.Context(), 1))
	stop()
	running.Wait()
	require.Contains(t, log.String(), "family=roster")
	require.NotContains(t, strings.ToLower(log.String()), "smith")
}
