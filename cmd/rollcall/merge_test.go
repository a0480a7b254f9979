package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestCasesAreMergedOnlyWhenSomebodySaysYes(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Case{County: "fulton", Number: "26CR1", Defendant: "DOE, JANE"}, testdb.Case{County: "fulton", Number: "26CR2", Defendant: "DOE, JANE"})
	x := terminalOn(t, db.URL)
	var kept, gone string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select 'case-fulton-' || min(id), 'case-fulton-' || max(id) from court_cases`).Scan(&kept, &gone))
	left := func() (n int) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) from published_cases`).Scan(&n))
		return n
	}
	code, _ := x.Run("merge", "courts", kept, gone)
	require.Equal(t, 1, code, "nobody sits at the terminal of a test")
	require.Contains(t, x.Stderr, "pass --yes")
	require.Equal(t, 2, left())
	require.Contains(t, x.OK("merge", "courts", kept, gone, "--yes"), gone+" resolves to "+kept+" now.")
	require.Equal(t, 1, left())
}

func TestBookingsAndOffendersAreMergedOnlyWhenSomebodySaysYes(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE"}, testdb.Offender{GdcID: "1", Name: "A B"}, testdb.Offender{GdcID: "2", Name: "A B"})
	x := terminalOn(t, db.URL)
	for _, c := range []struct{ family, kept, gone, left string }{
		{"roster", "fulton-2026-000001", "fulton-2026-000002", `select count(*) from published_bookings`},
		{"corrections", "1", "2", `select count(*) from published_corrections`},
	} {
		left := func() (n int) {
			require.NoError(t, db.Pool.QueryRow(t.Context(), c.left).Scan(&n))
			return n
		}
		code, _ := x.Run("merge", c.family, c.kept, c.gone)
		require.Equal(t, 1, code, "nobody sits at the terminal of a test")
		require.Contains(t, x.Stderr, "pass --yes")
		require.Equal(t, 2, left())
		require.Contains(t, x.OK("merge", c.family, c.kept, c.gone, "--yes"), c.gone+" resolves to "+c.kept+" now.")
		require.Equal(t, 1, left())
	}
}

func TestAMergeIsTakenBack(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Offender{GdcID: "1", Name: "A B", Institution: "LEE"}, testdb.Offender{GdcID: "2", Name: "A B", Institution: "HAYS"},
		testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE", Charges: []string{"DUI"}, BondCents: 100}, testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE", Charges: []string{"THEFT"}, BondCents: 200})
	x := terminalOn(t, db.URL)
	for _, c := range []struct{ family, kept, gone, records, merged string }{
		{"corrections", "1", "2", `select string_agg(concat_ws(' ', gdc_id, institution, withheld, case when merged_into is not null then 'merged' end), ', ' order by gdc_id) from corrections_records`, "1 LEE, 2 HAYS merged"},
		{"roster", "fulton-2026-000001", "fulton-2026-000002", `select string_agg(concat_ws(' ', id, charges, bond_cents, withheld, case when merged_into is not null then 'merged' end), ', ' order by id) from bookings`, "fulton-2026-000001 {DUI} 100, fulton-2026-000002 {THEFT} 200 merged"},
	} {
		records := func() (s string) {
			require.NoError(t, db.Pool.QueryRow(t.Context(), c.records).Scan(&s))
			return s
		}
		before := records()
		x.OK("merge", c.family, c.kept, c.gone, "--yes")
		require.Equal(t, c.merged, records())
		require.Contains(t, x.OK("rebuild"), c.family+": 0 of 1 records changed")
		code, _ := x.Run("unmerge", c.family, c.gone, "--note", "")
		require.Equal(t, 1, code)
		require.Contains(t, x.Stderr, "write a reason")
		require.Contains(t, x.OK("unmerge", c.family, c.gone, "--note", "two people"), c.gone+" is a record of its own again.")
		require.Equal(t, before, records())
		code, _ = x.Run("unmerge", c.family, c.gone, "--note", "two people")
		require.Equal(t, 1, code)
		require.Contains(t, x.Stderr, "no record "+c.gone+" was merged")
	}
}

func TestARebuildShowsWhatWouldChangeBeforeItIs(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Offender{GdcID: "1", Name: "A B", Institution: "LEE"}, testdb.Offender{GdcID: "2", Name: "C D"})
	_, err := db.Pool.Exec(t.Context(), `update corrections_records set institution = 'NOWHERE' where gdc_id = '1'`)
	require.NoError(t, err)
	x := terminalOn(t, db.URL)
	for range 2 {
		out := x.OK("rebuild", "--dry-run")
		require.Contains(t, out, "corrections: 1 of 2 records would change")
		require.Contains(t, out, "1 [institution]")
		require.NotContains(t, out, "NOWHERE")
	}
	require.Contains(t, x.OK("rebuild", "--json"), `"changed": 1`)
	require.Contains(t, x.OK("rebuild"), "corrections: 0 of 2 records changed")
}

func TestOnlyAYesAgrees(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{"y\n": true, "Yes \n": true, "\n": false, "n\n": false, "yes": false, "": false, "yesterday\n": false} {
		require.Equal(t, want, agreed(strings.NewReader(said), io.Discard, "Merge them?"), "%q", said)
	}
}
