package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// lateFiles loads texts of three days of March, one after another within a minute, weeks after the days of which
// they speak. It gives the instants just before the first loading and just after each.
func (b *bundle) lateFiles(load func(text string, of time.Time), texts [3]string) (of [3]time.Time, at [4]time.Time) {
	b.Helper()
	b.now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	at[0] = b.now.Add(-time.Second)
	for i, text := range texts {
		of[i] = time.Date(2026, 2, 2+2*i, 12, 0, 0, 0, time.UTC)
		load(text, of[i])
		at[i+1] = b.now.Add(time.Second)
		b.now = b.now.Add(2 * time.Second)
	}
	return of, at
}

func TestAsOfOfBookingsWhoseFilesWereReadLateIsWhatWasPublishedThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	first := roster(3, 2)
	of, at := b.lateFiles(func(text string, of time.Time) {
		require.Equal(t, source.RunOK, b.runSource(s, "roster.csv", text, of).State)
	}, [3]string{first, strings.Replace(roster(3), "$500.00", "$900.00", 1), strings.Replace(roster(3), "$500.00", "$900.00", 1)})
	byName := func(name string) string {
		return one[string](b, `select id from bookings where name like $1`, name+"%")
	}
	old, late := byName("QUILLFEATHERA,"), byName("QUILLFEATHERC,")
	for i, want := range []struct {
		bond int64     // of the first; 0: not published yet
		seen time.Time // of the first
		late bool      // whether the second is published
	}{{}, {50000, of[0], false}, {90000, of[1], true}, {90000, of[2], true}} {
		k, err := b.store.BookingAsOf(t.Context(), old, at[i])
		if want.bond == 0 {
			require.Equal(t, models.CodeNotFound, models.CodeOf(err), "nothing was published before the first file was read")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []any{want.bond, want.seen, of[0]}, []any{*k.BondCents, k.LastSeen, k.FirstSeen}, "after file %d", i)
		_, err = b.store.BookingAsOf(t.Context(), late, at[i])
		require.Equal(t, want.late, err == nil, "after file %d", i)
	}
	_, err := b.store.BookingAsOf(t.Context(), old, of[1].AddDate(0, 0, 1))
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "the source had told it by then, but nobody could read it here")

	require.NoError(t, b.store.MergeBookings(t.Context(), late, old))
	for i, want := range []string{"", "QUILLFEATHERA, WREN 50000", "QUILLFEATHERA, WREN 90000", "QUILLFEATHERA, WREN 90000"} {
		k, err := b.store.BookingAsOf(t.Context(), old, at[i])
		if want == "" {
			require.Equal(t, models.CodeNotFound, models.CodeOf(err))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, one[string](b, `select $1::text || ' ' || $2::bigint`, k.Name, *k.BondCents), "the id that was merged, after file %d", i)
		_, err = b.store.BookingAsOf(t.Context(), late, at[i])
		require.Equal(t, i >= 2, err == nil, "the one that stayed is no older for it, after file %d", i)
	}
}

func TestAsOfOfCasesWhoseFilesWereReadLateIsWhatWasPublishedThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of, at := b.lateFiles(func(text string, of time.Time) {
		require.Equal(t, source.RunOK, b.run("court-delta", "delta.txt", text, of).State)
	}, [3]string{
		clerkCase("MG-1", "1", "") + clerkHearing("MG-1", "1", "5", "09:00", ""),
		clerkCase("MG-1", "2", "") + clerkHearing("MG-1", "1", "5", "11:00", ""),
		clerkRemoval("MG-1", "5") + clerkCase("MG-1", "1", "PLEA"),
	})
	published := func(at time.Time) (out []string) {
		found, err := b.store.CourtCasesByNumber(t.Context(), "MG-1", nil, &at)
		require.NoError(t, err)
		for _, c := range found {
			line := one[string](b, `select party from court_cases where id = $1`, c.Key) + " seen " + c.LastSeen.Format("02")
			for _, h := range c.PastHearings {
				line = fmt.Sprint(line, " ", *h.Time)
			}
			disposed := c.PastDispositions
			if disposed == nil {
				known, err := b.store.DispositionsOf(t.Context(), []int64{c.Key})
				require.NoError(t, err)
				disposed = known[c.Key]
			}
			for _, d := range disposed {
				line = fmt.Sprint(line, " ", d.Outcome)
			}
			out = append(out, line)
		}
		return out
	}
	for i, want := range [][]string{nil, {"1 seen 02 09:00"}, {"1 seen 04 11:00", "2 seen 04"}, {"1 seen 06 PLEA", "2 seen 04"}} {
		require.ElementsMatch(t, want, published(at[i]), "after file %d", i)
	}
	require.Empty(t, published(of[2]), "by the clock of the court")
}

func TestAsOfOfCorrectionsWhoseFilesWereReadLateIsWhatWasPublishedThen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	of, at := b.lateFiles(func(text string, of time.Time) {
		require.Equal(t, source.RunOK, b.run("corrections-fixed", "offenders.txt", text, of).State)
	}, [3]string{offenders(300, 7), offenders(301), offenders(302)})
	for i, want := range []struct {
		seen time.Time
		late bool
	}{{}, {of[0], false}, {of[1], true}, {of[2], true}} {
		o, err := b.store.CorrectionsAsOf(t.Context(), "00000001", at[i])
		require.Equal(t, i > 0, err == nil, "after file %d", i)
		if i > 0 {
			require.Equal(t, want.seen, o.LastSeen, "after file %d", i)
		}
		_, err = b.store.CorrectionsAsOf(t.Context(), "00000008", at[i])
		require.Equal(t, want.late, err == nil, "after file %d", i)
	}
}
