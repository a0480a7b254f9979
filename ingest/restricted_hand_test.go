package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestWhatIsWithheldByHandStaysSoWhenItsKeysGoApart(t *testing.T) {
	t.Parallel()
	for name, both := range map[string]string{
		"name": "A1,\"MOONSAIL, ORLA TEAGAN\",2026-02-01 10:00,$500.00\nA2,\"MOONSAIL, ORLA\",2026-02-01 10:00,$500.00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := keyed(t, "county-a", compositeKey)
			b.runSource(s, "roster.csv", listed(`A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`), day)
			b.runSource(s, "roster.csv", listed(`A1,"MOONSAIL, ORLA TEAGAN",2026-02-01 10:00,$500.00`), day.AddDate(0, 0, 1))
			require.Equal(t, 4, one[int](b, `select count(*) from bookings`))
			id := one[string](b, `select id from bookings where name like 'MOONSAIL%'`)
			_, err := b.store.Restrict(t.Context(), id, "desk", "an order of the court")
			require.NoError(t, err)
			require.Equal(t, 3, one[int](b, `select count(*) from published_bookings`))
			b.runSource(s, "roster.csv", listed(both), day.AddDate(0, 0, 2))
			require.Empty(t, one[string](b, `select coalesce(string_agg(id || ' ' || name, '; '), '') from published_bookings where name like 'MOONSAIL%'`))
		})
	}
}

func TestNobodyIsToldOfAWithheldBookingWhoseKeysGoApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	const k1, k2 = `A1,"MOONSAIL, ORLA",2026-02-01 10:00,$1.00`, `A2,"MOONSAIL, ORLA",2026-02-01 10:00,$1.00`
	b.runSource(s, "r.csv", listed(k1), day)
	b.runSource(s, "r.csv", listed(k2), day.AddDate(0, 0, 1))
	_, err := b.store.Restrict(t.Context(), one[string](b, `select id from bookings where name like 'MOON%'`), "d", "n")
	require.NoError(t, err)
	before := one[int](b, `select count(*) from changes where name like 'MOON%' and kind = 'booking'`)
	b.runSource(s, "r.csv", listed(k1, k2), day.AddDate(0, 0, 2))
	require.Equal(t, before, one[int](b, `select count(*) from changes where name like 'MOON%' and kind = 'booking'`))
	require.Zero(t, one[int](b, `select count(*) from published_bookings where name like 'MOON%'`))
}

func TestALiftOfAHandRestrictionLeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	row := func(n, bond string) string { return listed(`A1,"` + n + `",2026-02-01 10:00,` + bond) }
	b.runSource(s, "r.csv", row("MOONSAIL, ORLA", "$1.00"), day)
	b.runSource(s, "r.csv", row("SEALED", "$1.00"), day.AddDate(0, 0, 1))
	b.runSource(s, "r.csv", row("MOONSAIL, ORLA", "$1.00"), day.AddDate(0, 0, 2))
	id := one[string](b, `select id from bookings where name like 'MOON%'`)
	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "d", "n"))
	for i := range 3 {
		_, err := b.store.Restrict(t.Context(), id, "d", "n")
		require.NoError(t, err)
		b.runSource(s, "r.csv", row("MOONSAIL, ORLA", "$2.00"), day.AddDate(0, 0, 3+4*i))
		require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "d", "n"))
		require.Equal(t, "MOONSAIL, ORLA booked public", statesOf(b))
		for k, n := range []string{"$2.00", "$3.00", "$4.00"} {
			b.runSource(s, "r.csv", row("MOONSAIL, ORLA", n), day.AddDate(0, 0, 4+4*i+k))
			require.Equal(t, "MOONSAIL, ORLA booked public", statesOf(b))
		}
	}
	r, err := b.store.Rebuild(t.Context(), models.Roster, false)
	require.NoError(t, err)
	require.Zero(t, r.Changed)
}

func TestAHandRestrictionOutlastsNewNumbersAndSources(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, c := rosterSource(t, "county-a", 1), rosterSource(t, "county-b", 1)
	row := func(id string) string { return listed(id + `,"MOONSAIL, ORLA",2026-02-01 10:00,$1.00`) }
	b.runSource(s, "r.csv", row("A1"), day)
	id := one[string](b, `select id from bookings where name like 'MOON%'`)
	_, err := b.store.Restrict(t.Context(), id, "d", "n")
	require.NoError(t, err)
	b.runSource(s, "r.csv", row("A2"), day.AddDate(0, 0, 1))
	b.runSource(c, "r.csv", row("Z2"), day.AddDate(0, 0, 1))
	b.runSource(s, "r.csv", listed(), day.AddDate(0, 0, 2))
	b.runSource(s, "r.csv", row("A3"), day.AddDate(0, 0, 3))
	require.Zero(t, one[int](b, `select count(*) from published_bookings where name like 'MOON%'`))
	b.runSource(s, "r.csv", row("A1")[:len(row("A1"))-len("\n#end\n")]+"\n"+`A3,"MOONSAIL, ORLA",2026-02-01 10:00,$1.00`+"\n#end\n", day.AddDate(0, 0, 4))
	require.Zero(t, one[int](b, `select count(*) from published_bookings where name like 'MOON%'`))
}

func TestALiftedCaseAndOffender(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := wholePrison(t)
	file := func(n int) string { return edited(offenders(300), 7, "WREN", n2(n)) + "#END\n" }
	b.runSource(s, "f.txt", file(0), day)
	_, err := b.store.Restrict(t.Context(), "00000008", "d", "n")
	require.NoError(t, err)
	for i := range 3 {
		b.runSource(s, "f.txt", file(i), day.AddDate(0, 0, i+1))
		require.Zero(t, one[int](b, `select count(*) from published_corrections where gdc_id = '00000008'`))
	}
	require.ErrorContains(t, b.store.Merge(t.Context(), models.Corrections, "00000009", "00000008", "d"), "no record")
	require.NoError(t, b.store.Review(t.Context(), "00000008", models.ReviewLifted, "d", "n"))
	for i := range 3 {
		b.runSource(s, "f.txt", file(i), day.AddDate(0, 0, i+5))
		require.Equal(t, 1, one[int](b, `select count(*) from published_corrections where gdc_id = '00000008'`))
	}
}

func n2(n int) string { return []string{"WREN", "WRAN", "WRUN"}[n] }
