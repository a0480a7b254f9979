package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
)

// seen gives when a source last showed each record of a family, by the value of a column.
func (b *bundle) seen(f models.Family, table, key, column string) map[string]time.Time {
	b.Helper()
	rows, err := b.db.Pool.Query(b.Context(), `select `+key+`, `+column+` from `+table)
	require.NoError(b, err)
	names, keys := map[int64]string{}, []int64{}
	for rows.Next() {
		var k int64
		var name string
		require.NoError(b, rows.Scan(&k, &name))
		names[k], keys = name, append(keys, k)
	}
	require.NoError(b, rows.Err())
	found, err := b.store.LastSeenOf(b.Context(), f, keys)
	require.NoError(b, err)
	out := map[string]time.Time{}
	for k, at := range found {
		out[names[k]] = at
	}
	return out
}

func TestABookingWasLastSeenInTheNewestFileThatListsItUnchanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 2)
	on := func(d int) time.Time { return day.AddDate(0, 0, d) }
	seen := func() map[string]time.Time {
		return b.seen(models.Roster, "bookings", "rid", "split_part(name, ',', 1)")
	}
	b.runSource(s, "roster.csv", roster(4), on(0))
	rows := func() string {
		return one[string](b, `select md5(string_agg(t, '')) from (select concat(b.xmin, b.*) from bookings b union all select concat(g.xmin, g.*) from roster_claims g order by 1) x (t)`)
	}
	before := rows()
	b.runSource(s, "roster.csv", roster(4), on(3))
	require.Equal(t, before, rows(), "no row is written for that")
	require.Equal(t, on(3), seen()["QUILLFEATHERA"])

	b.runSource(s, "roster.csv", roster(4)[:len(roster(4))-len("#end\n")], on(4))
	require.Equal(t, on(4), seen()["QUILLFEATHERA"], "also in a file that is not proven whole")
	b.runSource(s, "roster.csv", roster(4, 0), on(6))
	require.Equal(t, []time.Time{on(4), on(6)}, []time.Time{seen()["QUILLFEATHERA"], seen()["QUILLFEATHERB"]}, "one is missed, not released yet")
	b.runSource(s, "roster.csv", roster(4, 0), on(8))
	require.Equal(t, []time.Time{on(4), on(8)}, []time.Time{seen()["QUILLFEATHERA"], seen()["QUILLFEATHERB"]}, "and is released")
	b.runSource(s, "roster.csv", roster(4), on(1))
	require.Equal(t, []time.Time{on(4), on(8)}, []time.Time{seen()["QUILLFEATHERA"], seen()["QUILLFEATHERB"]}, "a late file is older")
	b.runSource(rosterSource(t, "county-b", 2), "other.csv", roster(4, 1), on(9))
	require.Equal(t, []time.Time{on(9), on(8)}, []time.Time{seen()["QUILLFEATHERA"], seen()["QUILLFEATHERB"]}, "another source shows one")
}

func TestACorrectionsRecordWasLastSeenInTheNewestFileThatListsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	on := func(d int) time.Time { return day.AddDate(0, 0, d) }
	load := func(d int, without ...int) map[string]time.Time {
		r := b.run("corrections-fixed", "offenders.txt", offenders(300+d, without...), on(d))
		require.Equal(t, source.RunOK, r.State, r.String())
		return b.seen(models.Corrections, "corrections_records", "cid", "gdc_id")
	}
	load(0)
	got := load(2)
	require.Equal(t, []time.Time{on(2), on(2)}, []time.Time{got["00000001"], got["00000008"]})
	got = load(3, 7)
	require.Equal(t, []time.Time{on(3), on(2)}, []time.Time{got["00000001"], got["00000008"]}, "one that is missing was seen in the file before")
}

func TestACaseWasLastSeenWhenAPartOfItChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seen := func() time.Time { return b.seen(models.Courts, "court_cases", "id", "case_number")["MG-1"] }
	const ca = "CA\tClarke\tMG\t1\tMG-1\tQUILLFEATHER\tWREN\t\t02/01/2026\t\t\t\t\t\t\t\t\t\t\n"
	const ce = "CE\tClarke\tMG\t1\tMG-1\t5\t03/02/2026\t09:00\tARR\t1A\tHON. A\t\t\t\t\n"
	b.run("court-delta", "a.txt", ca, day)
	require.Equal(t, day, seen())
	b.run("court-delta", "b.txt", ce, day.AddDate(0, 0, 1))
	require.Equal(t, day.AddDate(0, 0, 1), seen())
	b.run("court-delta", "c.txt", strings.Replace(ce, "09:00", "11:00", 1), day.AddDate(0, 0, 4))
	require.Equal(t, day.AddDate(0, 0, 4), seen())
	b.run("court-delta", "d.txt", "DE\tClarke\tMG\tMG-1\t5\t\n", day.AddDate(0, 0, 5))
	require.Equal(t, day.AddDate(0, 0, 5), seen())
}
