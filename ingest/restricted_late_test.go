package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALateRestrictionBetweenTwoEqualRowsIsReviewable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	row := func(n string) string { return listed(`A1,"` + n + `",2026-02-01 10:00,$500.00`) }
	b.runSource(s, "roster.csv", row("MOONSAIL, ORLA"), day)
	b.runSource(s, "roster.csv", row("MOONSAIL, ORLA"), day.AddDate(0, 0, 2))
	b.runSource(s, "roster.csv", row("SEALED"), day.AddDate(0, 0, 1))
	b.runSource(s, "roster.csv", row("MOONSAIL, ORLA"), day.AddDate(0, 0, 3))
	b.runSource(s, "roster.csv", row("MOONSAIL, ORLA"), day.AddDate(0, 0, 4))
	require.Equal(t, "MOONSAIL, ORLA maybe restricted", one[string](b, `select name || ' ' || withheld from bookings where withheld is not null`))
}

func TestALateRestrictionOfTheDepartment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := wholePrison(t)
	file := func(name string) string {
		return edited(offenders(300), 7, "QUILLFEATHERAH", fmt.Sprintf("%-14s", name), "WREN", map[bool]string{true: "    ", false: "WREN"}[!strings.HasPrefix(name, "QUILL")]) + "#END\n"
	}
	for _, f := range []struct {
		d int
		n string
	}{{0, "QUILLFEATHERAH"}, {2, "QUILLFEATHERAH"}, {1, "SEALED"}, {3, "QUILLFEATHERAH"}, {4, "QUILLFEATHERAH"}} {
		b.runSource(s, "file.txt", file(f.n), day.AddDate(0, 0, f.d))
	}
	require.Equal(t, "maybe restricted", one[string](b, `select coalesce(withheld::text, 'public') from corrections_records where gdc_id = '00000008'`))
}

func TestALateRestrictionOfACourt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := courtSource(t, "full_roster")
	for _, f := range []struct {
		d int
		n string
	}{{0, "MOONSAIL, ORLA"}, {2, "MOONSAIL, ORLA"}, {1, "SEALED"}, {3, "MOONSAIL, ORLA"}, {4, "MOONSAIL, ORLA"}} {
		b.runSource(s, "file.txt", caseLine("J-1", f.n, "01/06/2026", "", ""), day.AddDate(0, 0, f.d))
	}
	require.Equal(t, "maybe restricted", one[string](b, `select coalesce(withheld::text, 'public') from court_cases`))
}
