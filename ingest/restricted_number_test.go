package ingest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestANumberUsedAgainCarriesNoRestriction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.now = day.AddDate(0, 3, 0)
	s := deltaSource(t, "county-a")
	file := func(rows ...string) string {
		return "id,name,booked,bond,out,seen,rel\n" + strings.Join(rows, "\n") + "\n#end\n"
	}
	b.runSource(s, "f.csv", file(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00,,,`), day)
	b.runSource(s, "f.csv", file(`A1,"SEALED",2026-02-01 10:00,$500.00,2026-02-05 10:00,,`), day.AddDate(0, 2, 1))
	b.runSource(s, "f.csv", file(`A1,"BRACKENRIDGE, TOLLIVER",2026-03-01 10:00,$500.00,,,`), day.AddDate(0, 2, 2))
	require.Equal(t, "BRACKENRIDGE, TOLLIVER public; MOONSAIL, ORLA restricted", one[string](b, `select string_agg(name || ' ' || coalesce(withheld::text, 'public'), '; ' order by name) from bookings`))
	// A late row of the sealed stay, after the number was used again.
	b.runSource(s, "f.csv", file(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00,2026-02-05 10:00,,`), day.AddDate(0, 2, 3))
	b.runSource(s, "f.csv", file(`A1,"SEALED",2026-02-01 10:00,$500.00,2026-02-05 10:00,,`), day.AddDate(0, 2, 4))
	require.Equal(t, "BRACKENRIDGE, TOLLIVER public; MOONSAIL, ORLA restricted", one[string](b, `select string_agg(name || ' ' || coalesce(withheld::text, 'public'), '; ' order by name) from bookings`))
}

func statesOf(b *bundle) string {
	return one[string](b, `select string_agg(name || ' ' || status || ' ' || coalesce(withheld::text, 'public'), '; ' order by name) from bookings where name not like 'THIS%' and name not like 'STORM%' and name not like 'FENW%'`)
}

func TestAfterTheSealedRowOfAnEarlierStay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.now = day.AddDate(0, 3, 0)
	s := deltaSource(t, "county-a")
	file := func(rows ...string) string {
		return "id,name,booked,bond,out,seen,rel\n" + strings.Join(rows, "\n") + "\n#end\n"
	}
	b.runSource(s, "f.csv", file(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00,2026-02-05 10:00,,`), day.AddDate(0, 0, 9))
	b.runSource(s, "f.csv", file(`A1,"BRACKENRIDGE, TOLLIVER",2026-03-01 10:00,$500.00,,,`), day.AddDate(0, 2, 2))
	b.runSource(s, "f.csv", file(`A1,"SEALED",2026-02-01 10:00,$500.00,2026-02-05 10:00,,`), day.AddDate(0, 2, 4))
	b.runSource(s, "f.csv", file(`A1,"BRACKENRIDGE, TOLLIVER",2026-03-01 10:00,$700.00,,,`), day.AddDate(0, 2, 5))
	require.NotContains(t, statesOf(b), "BRACKENRIDGE, TOLLIVER released")
}

func TestASealedLaterBookingUnderANumberInUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]string{
		"a stranger": `A1,"BRACKENRIDGE, TOLLIVER",2026-03-01 10:00,$900.00,2026-03-02 09:00,,`,
		"sealed":     `A1,"SEALED",2026-03-01 10:00,$900.00,2026-03-02 09:00,,`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.now = day.AddDate(0, 3, 0)
			s := deltaSource(t, "county-a")
			file := func(rows ...string) string {
				return "id,name,booked,bond,out,seen,rel\n" + strings.Join(rows, "\n") + "\n#end\n"
			}
			b.runSource(s, "f.csv", file(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00,,,`), day.AddDate(0, 0, 9))
			b.runSource(s, "f.csv", file(c), day.AddDate(0, 2, 2))
			require.Equal(t, "MOONSAIL, ORLA booked public", statesOf(b))
		})
	}
}

func TestASecondSourceBringsNoSealedPersonBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, c := rosterSource(t, "county-a", 1), rosterSource(t, "county-b", 1)
	row := func(id, n string) string { return listed(id + `,"` + n + `",2026-02-01 10:00,$500.00`) }
	b.runSource(a, "r.csv", row("A1", "MOONSAIL, ORLA"), day)
	b.runSource(a, "r.csv", row("A1", "SEALED"), day.AddDate(0, 0, 1))
	b.runSource(c, "r.csv", row("Z1", "MOONSAIL, ORLA"), day.AddDate(0, 0, 2))
	require.Zero(t, one[int](b, `select count(*) from published_bookings where name like 'MOON%'`))
	// the number is exchanged at the first
	b.runSource(a, "r.csv", row("A2", "SEALED"), day.AddDate(0, 0, 3))
	b.runSource(a, "r.csv", row("A2", "MOONSAIL, ORLA"), day.AddDate(0, 0, 4))
	require.Zero(t, one[int](b, `select count(*) from published_bookings where name like 'MOON%'`))
}

func TestAMassRestrictionOfNamesThatAreKeysIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := keyed(t, "county-a", compositeKey)
	b.runSource(s, "roster.csv", crowd("K", "QUILLFEATHER", 12, "2026-01-05"), day)
	b.now = b.now.AddDate(0, 0, 1)
	r := b.runSource(s, "roster.csv", replacedNames(crowd("K", "QUILLFEATHER", 12, "2026-01-05"), 12), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, r.State, r.String())
}
