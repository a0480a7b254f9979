package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/ingesttest"
	"rollcall/models"
	"rollcall/models/source"
)

// commonCSV writes a file of the common CSV as of an instant: 30 people of each of 20 counties, as change leaves them.
func commonCSV(b *bundle, s *ingest.Source, at time.Time, change func(*inmate) (listed bool)) string {
	b.Helper()
	return ingesttest.CommonCSV(b.store.Counties().All(), s.Decode.EndMarker, at, change)
}

type inmate = ingesttest.Inmate

// commonSource is the common CSV, as shipped or as a list of everybody.
func commonSource(t *testing.T, lists bool) *ingest.Source {
	t.Helper()
	s, err := ingest.Load("common-csv")
	require.NoError(t, err)
	if lists {
		s.Publish = ingest.Publish{Policy: "full_roster", Absence: "released", Confirmations: 1}
		s.Complete.Shrink, s.Complete.Turnover = 0.4, 0.5
		s.Complete.EndMarker, s.Decode.EndMarker = true, "#end"
	}
	return s
}

func (b *bundle) sources() map[string]*models.Source {
	b.Helper()
	all, err := b.store.Sources(b.Context())
	require.NoError(b, err)
	out := map[string]*models.Source{}
	for _, s := range all {
		out[s.ID] = s
	}
	return out
}

func TestOneCountyThatTurnsOverIsHeldAloneAmongTwenty(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		lists bool
		turn  func(p *inmate) bool
		why   string
		gone  int // of its people, when it is released
	}{
		{"everybody released at once, in a file of changes", false, func(p *inmate) bool { p.Released = "2026-03-08 09:00:00 EST"; return true }, "it would release 30 of the 30 people it has in jail at once", 30},
		{"a list that lost most of its rows", true, func(p *inmate) bool { return p.N < 5 }, "it shrank from 30 to 5 rows", 25},
		{"a list of strangers", true, func(p *inmate) bool { p.Key = "Z" + p.Key; p.N = (p.N + 17) % 30; return true }, "", 30},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := commonSource(t, c.lists)
			counties := b.store.Counties().All()
			turned := counties[7]
			at := b.now.Add(-48 * time.Hour)
			first := b.runSource(s, "a.csv", commonCSV(b, s, at, ingesttest.Unchanged), at)
			require.Equal(t, []int{600, 600, 20}, []int{first.Fetched, first.New, len(first.Counties)}, first.String())

			second := commonCSV(b, s, b.now, func(p *inmate) bool {
				if p.County == turned.Name {
					return c.turn(p)
				}
				if p.N == 0 {
					p.Bond = 700
				}
				return true
			})
			r := b.runSource(s, "b.csv", second, b.now)
			require.Equal(t, []any{source.RunPartial, 19}, []any{r.State, r.Changed}, r.String())
			require.Contains(t, r.Note, "held: "+turned.Name+": "+c.why)
			require.Equal(t, 19, one[int](b, `select count(*) from bookings where bond_cents = 70000`), "the others go on")
			require.Equal(t, 30, one[int](b, `select count(*) from bookings where county_id = $1 and status = 'booked' and bond_cents = 50000`, turned.ID))

			all := b.sources()
			id := models.ScopeID("common-csv", turned.Slug)
			require.Len(t, all, 21)
			for name, src := range all {
				switch name {
				case id:
					require.Equal(t, models.SourceHeld, src.State())
					require.Contains(t, *src.Note, c.why)
					require.Equal(t, turned.Slug, src.County.Slug)
				case "common-csv":
					require.Equal(t, []any{models.SourceHeld, "held: " + turned.Name}, []any{src.State(), *src.Note}, "its state is that of the worst")
					require.Nil(t, src.HeldSince)
				default:
					require.Equal(t, models.SourceOK, src.State(), name)
				}
			}
			fresh, err := b.store.Freshness(t.Context(), models.Roster, nil)
			require.NoError(t, err)
			require.Equal(t, []string{turned.Slug}, fresh.Stale)

			would, err := b.runner.Rehearse(t.Context(), s, *all[id].HeldRun)
			require.NoError(t, err)
			require.Len(t, would.Gone, c.gone, would)
			report, err := b.runner.Release(t.Context(), s, turned, ingest.Decision{})
			require.NoError(t, err)
			require.Equal(t, []any{source.RunOK, c.gone}, []any{report.State, report.Closed}, report.String())
			b.now = b.now.Add(2 * time.Second)
			require.Equal(t, models.SourceOK, b.sources()["common-csv"].State())
			again := b.runSource(s, "b.csv", second, b.now)
			require.Equal(t, []any{source.RunOK, 0, 0, 0}, []any{again.State, again.New, again.Changed, again.Closed}, "nothing is left to do: %s", again)
		})
	}
}

func TestACountyThatAFileDoesNotNameIsNotInIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := commonSource(t, true)
	quiet := b.store.Counties().All()[3]
	at := b.now.Add(-96 * time.Hour)
	b.runSource(s, "a.csv", commonCSV(b, s, at, ingesttest.Unchanged), at)
	for day := 3; day >= 0; day-- {
		at := b.now.AddDate(0, 0, -day)
		r := b.runSource(s, "b.csv", commonCSV(b, s, at, func(p *inmate) bool { return p.County != quiet.Name }), at)
		require.Equal(t, []any{source.RunOK, 0, true}, []any{r.State, r.Closed, r.Complete}, r.String())
	}
	require.Equal(t, 30, one[int](b, `select count(*) from bookings where county_id = $1 and status = 'booked'`, quiet.ID), "nobody is released by a file that does not speak of them")
	all := b.sources()
	require.Equal(t, models.SourceDown, all[models.ScopeID(s.ID, quiet.Slug)].State(), "and it is told that nothing came")
	require.Equal(t, []any{models.SourceDown, "down: " + quiet.Name}, []any{all[s.ID].State(), *all[s.ID].Note})
	fresh, err := b.store.Freshness(t.Context(), models.Roster, nil)
	require.NoError(t, err)
	require.Equal(t, []string{quiet.Slug}, fresh.Stale)
	require.Equal(t, b.now.Add(-96*time.Hour), *fresh.AsOf, "the oldest of those that can still change the answer")
	fresh, err = b.store.Freshness(t.Context(), models.Roster, &b.store.Counties().All()[4].Slug)
	require.NoError(t, err)
	require.Equal(t, b.now, *fresh.AsOf)
}

func TestAHoldOfASourceHoldsAllOfItsCounties(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := commonSource(t, false)
	at := b.now.Add(-time.Hour)
	b.runSource(s, "a.csv", commonCSV(b, s, at, ingesttest.Unchanged), at)
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "the vendor moves", b.now))
	other := func(p *inmate) bool { p.Bond += p.N / 29; return true }
	r := b.runSource(s, "b.csv", commonCSV(b, s, b.now, other), b.now)
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
	for id, src := range b.sources() {
		require.Equal(t, models.SourceHeld, src.State(), id)
	}
	b.release(s)
	require.Equal(t, 20, one[int](b, `select count(*) from bookings where bond_cents = 50100`), "what waited is read with the release")
	b.now = b.now.Add(time.Second)
	require.Equal(t, models.SourceOK, b.sources()[s.ID].State())
}

func TestAFileOfChangesWaitsForItsCountyAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := commonSource(t, false)
	at := b.now.Add(-time.Hour)
	b.runSource(s, "a.csv", commonCSV(b, s, at, ingesttest.Unchanged), at)
	held := b.store.Counties().All()[2]
	id := models.ScopeID(s.ID, held.Slug)
	require.NoError(t, b.store.HoldSource(t.Context(), id, "its jail moves", b.now))
	first := func(p *inmate) bool { p.Bond += p.N / 29; return true }
	r := b.runSource(s, "b.csv", commonCSV(b, s, b.now, first), b.now)
	require.Equal(t, []any{source.RunPartial, 19}, []any{r.State, r.Changed}, r.String())
	waiting, err := b.store.WaitingRuns(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, waiting, 1)
	_, err = b.runner.Release(t.Context(), s, held, ingest.Decision{})
	require.NoError(t, err)
	require.Equal(t, 20, one[int](b, `select count(*) from bookings where bond_cents = 50100`))
}
