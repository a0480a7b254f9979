package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// TestFEEDS13FilesBroughtByHandThatAreNeverCompleteMakeASourceLate: nobody leaves the list of a source whose
// files are all cut, and its county is named, though no schedule says when to expect what.
func TestFEEDS13FilesBroughtByHandThatAreNeverCompleteMakeASourceLate(t *testing.T) {
	t.Parallel()
	county := "ben-hill"
	cut := strings.TrimSuffix(roster(5), "#end\n")
	require.NotEqual(t, roster(5), cut)
	for _, c := range []struct {
		name  string
		first string // the file of the first day; the others are cut
	}{{"after a complete one", roster(6)}, {"from the first", cut}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "county-a")
			state := func() (models.SourceState, []string) {
				sources, err := b.store.Sources(t.Context())
				require.NoError(t, err)
				fresh, err := b.store.Freshness(t.Context(), models.Roster, &county)
				require.NoError(t, err)
				if note := sources[0].Note; sources[0].State() == models.SourceLate {
					require.Contains(t, *note, "absence is not read: its end is missing")
					require.Contains(t, *sources[0].PlainNote(), "People released since then may still be shown as held")
				}
				return sources[0].State(), fresh.Stale
			}
			b.runSource(s, "a.csv", c.first, b.now)
			for day := 1; day <= 5; day++ {
				b.now = b.now.Add(24 * time.Hour)
				r := b.runSource(s, "b.csv", cut, b.now)
				require.False(t, r.Complete)
				got, stale := state()
				if time.Duration(day)*24*time.Hour < 2*models.WholeEvery {
					require.Equal(t, []any{models.SourceOK, []string{}}, []any{got, stale}, "day %d", day)
				} else {
					require.Equal(t, []any{models.SourceLate, []string{county}}, []any{got, stale}, "day %d", day)
				}
			}
			b.now = b.now.Add(time.Hour)
			require.True(t, b.runSource(s, "c.csv", roster(7), b.now).Complete)
			b.now = b.now.Add(5 * 24 * time.Hour)
			got, stale := state()
			require.Equal(t, []any{models.SourceOK, []string{}}, []any{got, stale}, "nobody knows how often files are brought")
		})
	}
}

// TestFEEDS13ASourceThatNobodyAsksAnyMoreIsNotCurrent: what it told is still shown, and says how old it is.
func TestFEEDS13ASourceThatNobodyAsksAnyMoreIsNotCurrent(t *testing.T) {
	t.Parallel()
	county := "ben-hill"
	d := newSpool(t)
	d.drops("a_2026-03-09_07-00.csv", roster(5), d.now)
	require.Equal(t, source.RunOK, d.read().State)
	require.NoError(t, d.store.EnableSource(t.Context(), d.source.ID, false))
	for _, c := range []struct {
		after time.Duration
		state models.SourceState
	}{{0, models.SourceOK}, {2 * d.source.Schedule.Data, models.SourceLate}, {time.Hour * 72, models.SourceDown}} {
		d.now = d.now.Add(c.after)
		sources, err := d.store.Sources(t.Context())
		require.NoError(t, err)
		require.Equal(t, c.state, sources[0].State())
		fresh, err := d.store.Freshness(t.Context(), models.Roster, &county)
		require.NoError(t, err)
		if c.state == models.SourceOK {
			require.Empty(t, fresh.Stale)
			continue
		}
		require.Equal(t, []string{county}, fresh.Stale)
		require.Contains(t, *sources[0].Note, "its schedule is stopped")
		require.Equal(t, "This source is no longer read. Its newest data is from Mar 9, 2026, 7:00 AM.", *sources[0].PlainNote())
	}
}

func TestFEEDS13TheNoticeOfASilentFolderWithoutAScheduleIsMade(t *testing.T) {
	t.Parallel()
	d := unscheduled(t, "")
	d.drops("a.csv", roster(5), d.now)
	d.read()
	require.NoError(t, d.store.EnableSource(t.Context(), d.source.ID, true))
	notices := func() string {
		d.Helper()
		_, err := d.store.NoteSources(t.Context())
		require.NoError(t, err)
		return one[string](d.bundle, `select coalesce(string_agg(kind, ' ' order by id), '') from changes where rid is null`)
	}
	d.now = d.now.Add(2 * 24 * time.Hour)
	require.Empty(t, notices(), "late is not blind")
	d.now = d.now.Add(30 * time.Hour)
	require.Equal(t, "source_stale", notices())
	require.Equal(t, "source_stale", notices())
	d.drops("b.csv", roster(6), d.now)
	d.read()
	require.Equal(t, "source_stale source_recovered", notices())
}
