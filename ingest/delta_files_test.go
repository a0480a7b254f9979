package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// deltaSource reports only changes, with releases in a column and by key.
func deltaSource(t *testing.T, id string) *ingest.Source {
	t.Helper()
	const layouts = "layouts: ['2006-01-02 15:04']}"
	return sourceWith(t, id, "full_roster, absence: released, confirmations: 1", "delta, absence: nothing",
		"complete: {end_marker: true, shrink: 1, min_rows: 1}\n", "",
		"[id, name, booked, bond]", "[id, name, booked, bond, out, seen, rel]",
		"bond: bond", "bond: bond, released_at: {from: out, "+layouts+", observed_at: {from: seen, "+layouts,
		"person: {name: name}", "person: {name: name}\n  release: {number: rel, released_at: {from: out, "+layouts+", observed_at: {from: seen, "+layouts+"}")
}

// deltaFile is a file of deltaSource that comes on a day.
type deltaFile struct {
	day  int
	rows []string
}

// Files of changes about one number, whose rows may say several things of it.
func TestFilesOfChangesAboutOneNumber(t *testing.T) {
	t.Parallel()
	const (
		orlaIn   = `K1,"MOONSAIL, ORLA",2026-01-10 10:00,$500.00,,,`
		orlaOut  = `K1,"MOONSAIL, ORLA",2026-01-10 10:00,$500.00,2026-01-15 08:00,,`
		orlaBack = `K1,"MOONSAIL, ORLA",2026-02-20 20:00,$50.00,,,`
	)
	for name, c := range map[string]struct {
		files []deltaFile
		want  string
	}{
		"an old file is read again after the number was used again": {
			[]deltaFile{{1, []string{orlaOut}}, {20, []string{orlaBack}}, {1, []string{orlaOut}}},
			"10 MOONSAIL, ORLA 500 released 15 08:00; 20 MOONSAIL, ORLA 50 booked",
		},
		"a release, and then a bond, in one file": {
			[]deltaFile{{1, []string{orlaIn}}, {2, []string{
				`K1,"MOONSAIL, ORLA",2026-01-10 10:00,,2026-02-02 08:00,,`,
				`K1,"MOONSAIL, ORLA",2026-01-10 10:00,$700.00,,,`,
			}}},
			"10 MOONSAIL, ORLA 700 released 02 08:00",
		},
		"a number used again, and its release in the same file": {
			[]deltaFile{{1, []string{orlaOut}}, {20, []string{
				`K1,"BRACKENRIDGE, TOLLIVER",2026-02-20 20:00,$50.00,,2026-02-20 20:05,`,
				`,,,,2026-02-21 04:00,2026-02-21 04:05,K1`,
			}}},
			"10 MOONSAIL, ORLA 500 released 15 08:00; 20 BRACKENRIDGE, TOLLIVER 50 released 21 04:00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := deltaSource(t, "county-d")
			for _, f := range c.files {
				b.runSource(s, fmt.Sprintf("f%d.csv", f.day), "id,name,booked,bond,out,seen,rel\n"+strings.Join(f.rows, "\n")+"\n#end\n", day.AddDate(0, 0, f.day))
			}
			require.Equal(t, c.want, strings.Join(one[[]string](b, `
select array_agg(concat_ws(' ', to_char(georgia_clock(booked_at), 'DD'), name, bond_cents / 100, status,
    to_char(georgia_clock(released_at), 'DD HH24:MI')) order by booked_at, rid)
from bookings
where merged_into is null`), "; "))
		})
	}
}
