package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// bornSource is the source of rosterSource with dates of birth, or years alone.
func bornSource(t *testing.T, id string) *ingest.Source {
	t.Helper()
	return sourceWith(t, id, "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born]",
		"person: {name: name}", "person: {name: name, dob: {from: born, layouts: ['01/02/2006', '2006']}}")
}

// inJail lists one person of whom tests change what is told, and one who stays.
func inJail(bond, born string) string {
	return "id,name,booked,bond,born\nK1,\"MOONSAIL, ORLA\",2026-01-05 10:00," + bond + "," + born + "\nK2,\"THISTLEDOWN, PIP\",2026-01-05 11:00,$1.00,05/05/1980\n#end\n"
}

// shown is how the one person stands: why withheld, or that she is public, and the events so far.
func shown(b *bundle) string {
	return one[string](b, `select string_agg(coalesce(withheld::text, 'public') || ' ' || status, '; ') || ' | ' || (select coalesce(string_agg(kind, ' ' order by c.id), '') from changes c where name like 'MOONSAIL%')
 from bookings where name like 'MOONSAIL%'`)
}

func TestAJuvenileStaysWithheldUntilARowStatesAnotherBirthDate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := bornSource(t, "county-a")
	for i, step := range []struct{ born, want string }{{"", "public"}, {"03/05/2010", "juvenile"}, {"", "juvenile"}, {"1985", "juvenile"}, {"03/05/2010", "juvenile"}, {"03/05/1985", "public"}} {
		b.runSource(s, "roster.csv", inJail("$1.00", step.born), day.AddDate(0, 0, i))
		require.Contains(t, shown(b), step.want+" booked", "day %d", i+1)
	}
}

func TestOneSourceThatKnowsAJuvenileWithholdsTheBookingOfAll(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"03/05/2010", ""} {
		b := setup(t)
		tells, silent := bornSource(t, "county-a"), bornSource(t, "county-b")
		other := map[string]string{"03/05/2010": "", "": "03/05/2010"}[first]
		b.runSource(tells, "roster.csv", inJail("$1.00", first), day)
		b.runSource(silent, "roster.csv", inJail("$1.00", other), day.Add(time.Hour))
		require.Contains(t, shown(b), "juvenile booked", first)
		b.runSource(tells, "roster.csv", inJail("$2.00", first), day.AddDate(0, 0, 1))
		b.runSource(silent, "roster.csv", inJail("$3.00", other), day.AddDate(0, 0, 1).Add(time.Hour))
		require.Contains(t, shown(b), "juvenile booked", first)
	}
}

func TestAYearThatMakesAMaybeJuvenileOutlastsABlank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := bornSource(t, "county-a")
	for i, step := range []struct{ born, want string }{{"2009", "maybe juvenile"}, {"", "maybe juvenile"}, {"1985", "public"}} {
		b.runSource(s, "roster.csv", inJail("$1.00", step.born), day.AddDate(0, 0, i))
		require.Contains(t, shown(b), step.want+" booked", "day %d", i+1)
	}
	id := one[string](b, `select id from bookings where name like 'MOONSAIL%'`)
	b.runSource(s, "roster.csv", inJail("$1.00", "2009"), day.AddDate(0, 0, 3))
	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewLifted, "desk", "of age"))
	b.runSource(s, "roster.csv", inJail("$2.00", ""), day.AddDate(0, 0, 4))
	require.Contains(t, shown(b), "public booked", "an operator lifted it")
}

func TestWhoIsKeptHiddenOutlastsEveryRowOfEverySource(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := bornSource(t, "county-a")
	b.runSource(s, "roster.csv", inJail("$1.00", "2009"), day)
	id := one[string](b, `select id from bookings where name like 'MOONSAIL%'`)
	require.NoError(t, b.store.Review(t.Context(), id, models.ReviewKept, "desk", "sealed"))
	for i, born := range []string{"", "1985", "03/05/1985", "03/05/2010", "03/05/1985"} {
		b.runSource(s, "roster.csv", inJail("$1.00", born), day.AddDate(0, 0, i+1))
		require.Contains(t, shown(b), "juvenile booked", born)
	}
	b.runSource(bornSource(t, "county-b"), "roster.csv", inJail("$9.00", "03/05/1985"), day.AddDate(0, 0, 9))
	require.Equal(t, "maybe juvenile booked | ", shown(b))
	waiting, _, err := b.store.Reviews(t.Context(), false, "", 10)
	require.NoError(t, err)
	require.Empty(t, waiting, "it is asked about no more")
}

func TestAnAdultWhoseBirthDateBecomesAJuvenilesIsWithheldAndNotReleased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := bornSource(t, "county-a")
	load := func(days int, born string) *ingest.Report {
		t.Helper()
		b.now = b.now.AddDate(0, 0, 1)
		return b.runSource(s, "roster.csv", inJail("$1.00", born), day.AddDate(0, 0, days))
	}
	load(0, "07/11/1985")
	for days := 1; days < 3; days++ {
		r := load(days, "03/05/2010")
		require.Equal(t, map[string]int{"identity: the key is known for another person": 1}, r.Reasons, r.String())
		require.Equal(t, []int{0, 1}, []int{r.Closed, r.Quarantined}, r.String())
		require.Contains(t, shown(b), "juvenile booked | ")
		require.NotContains(t, shown(b), "release")
	}
	require.Equal(t, "1985-07-11", one[string](b, `select dob::text from bookings where name like 'MOONSAIL%'`), "another birth date is quarantined, not taken")
	load(3, "")
	require.Contains(t, shown(b), "juvenile booked")
	load(4, "07/11/1985")
	require.Contains(t, shown(b), "public booked")
	load(5, "02/02/1971")
	require.Contains(t, shown(b), "public booked", "an adult whose birth date conflicts is still listed")
	require.NotContains(t, shown(b), "release")
}
