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
	x := &terminal{t: t, url: db.URL, data: t.TempDir()}
	var kept, gone string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select 'case-fulton-' || min(id), 'case-fulton-' || max(id) from court_cases`).Scan(&kept, &gone))
	left := func() (n int) {
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) from court_cases where withheld is null`).Scan(&n))
		return n
	}
	code, _ := x.run("merge", "courts", kept, gone)
	require.Equal(t, 1, code, "nobody sits at the terminal of a test")
	require.Contains(t, x.stderr, "pass --yes")
	require.Equal(t, 2, left())
	require.Contains(t, x.ok("merge", "courts", kept, gone, "--yes"), gone+" resolves to "+kept+" now.")
	require.Equal(t, 1, left())
}

func TestBookingsAndOffendersAreMergedOnlyWhenSomebodySaysYes(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE"}, testdb.Offender{GdcID: "1", Name: "A B"}, testdb.Offender{GdcID: "2", Name: "A B"})
	x := &terminal{t: t, url: db.URL, data: t.TempDir()}
	for _, c := range []struct{ family, kept, gone, left string }{
		{"roster", "fulton-2026-000001", "fulton-2026-000002", `select count(*) from bookings where withheld is null`},
		{"corrections", "1", "2", `select count(*) from corrections_records where withheld is null`},
	} {
		left := func() (n int) {
			require.NoError(t, db.Pool.QueryRow(t.Context(), c.left).Scan(&n))
			return n
		}
		code, _ := x.run("merge", c.family, c.kept, c.gone)
		require.Equal(t, 1, code, "nobody sits at the terminal of a test")
		require.Contains(t, x.stderr, "pass --yes")
		require.Equal(t, 2, left())
		require.Contains(t, x.ok("merge", c.family, c.kept, c.gone, "--yes"), c.gone+" resolves to "+c.kept+" now.")
		require.Equal(t, 1, left())
	}
}

func TestOnlyAYesAgrees(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{"y\n": true, "Yes \n": true, "\n": false, "n\n": false, "yes": false, "": false, "yesterday\n": false} {
		require.Equal(t, want, agreed(strings.NewReader(said), io.Discard, "Merge them?"), "%q", said)
	}
}
