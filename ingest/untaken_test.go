package ingest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/reconcile"
	"rollcall/models/source"
)

func TestGuarantee4RowsOfStrangersProveNobodysAbsence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(births))
	require.NoError(t, err)
	list := func(dob string) string {
		text := strings.ReplaceAll(strings.TrimSuffix(roster(20), "#end\n"), ",$500.00", ","+dob+",40")
		return regexp.MustCompile(` 10:\d\d`).ReplaceAllString(strings.Replace(text, "bond\n", "dob,age\n", 1), "")
	}
	r := b.runSource(s, "roster.csv", list("05/05/1986"), day)
	require.True(t, r.Complete, r.String())
	some := strings.Replace(list("05/05/1986"), "05/05/1986", "03/01/1951", 9)
	r = b.runSource(s, "roster.csv", some, day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunPartial, false, 0, 9}, []any{r.State, r.Complete, r.Closed, r.Quarantined}, r.String())
	require.Contains(t, r.Note, "9 of 20 rows could not be taken")
	r = b.runSource(s, "roster.csv", list("03/01/1951"), day.AddDate(0, 0, 2)) // another column
	require.Equal(t, []any{source.RunHeld, false, 0, 0}, []any{r.State, r.Complete, r.Closed, r.Quarantined}, r.String())
	require.Contains(t, r.Note, "the birth date of 20 of 20 people would change, and 20 of their rows would be refused because the key is known for another person")
	require.Equal(t, 20, one[int](b, `select count(*) from bookings where status = 'booked'`))
	would, err := b.runner.Rehearse(t.Context(), s, r.Run)
	require.NoError(t, err)
	require.Equal(t, []int{20, 0}, []int{would.Quarantined, would.Changed}, "an operator sees how many rows a release would refuse")
	require.Equal(t, 20, b.release(s).Quarantined)
}

func TestGuarantee4AStrangersRowSparesBothWhomItMayBe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", strings.Replace(roster(7), "QUILLFEATHERE, WREN", "MOONSAIL, ORLA", 1), day)
	// The key of the third tells of ORLA, whose own row is gone; the sixth left.
	r := b.runSource(s, "roster.csv", strings.Replace(roster(7, 4, 5), "QUILLFEATHERC, WREN", "MOONSAIL, ORLA", 1), day.AddDate(0, 0, 1))
	require.Equal(t, []any{true, 1, 1}, []any{r.Complete, r.Closed, r.Quarantined}, r.String())
	require.Equal(t, "QUILLFEATHERF, WREN", one[string](b, `select name from bookings where status = 'released'`))
}

func TestGuarantee4ARowThatCanNotBeReadSparesByKeyAndByName(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, old, new string }{
		{"another spelling of the name", `K3,"QUILLFEATHERD, WREN",2026-01-05 10:03`, `K3,"QUILLFEATHERD, WREN ASTER",99:99PM`},
		{"another name, the same key", `K3,"QUILLFEATHERD, WREN",2026-01-05 10:03`, `K3,"MOONSAIL, ORLA",99:99PM`},
		{"another key, a middle name added", `K3,"QUILLFEATHERD, WREN",2026-01-05 10:03`, `X3,"QUILLFEATHERD, WREN ASTER",99:99PM`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := rosterSource(t, "county-a", 1)
			b.runSource(s, "roster.csv", roster(6), day)
			r := b.runSource(s, "roster.csv", strings.Replace(roster(6, 0), c.old, c.new, 1), day.AddDate(0, 0, 1))
			require.Equal(t, []any{true, 1, 1}, []any{r.Complete, r.Closed, r.Quarantined}, r.String())
			require.Equal(t, "QUILLFEATHERA, WREN", one[string](b, `select name from bookings where status = 'released'`))
		})
	}
}

func TestGuarantee4ASnapshotThatCanNotBeReadLeavesTheShrinkGuardArmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	r := b.runSource(s, "roster.csv", strings.NewReplacer("2026-01-05", "99:99PM", "QUILLFEATHER", "MOONSAIL").Replace(roster(20)), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunPartial, false, 0}, []any{r.State, r.Complete, r.Closed}, r.String())
	require.Equal(t, 20, one[int](b, `select last_rows from sources`))
	r = b.runSource(s, "roster.csv", roster(1), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunHeld, "it shrank from 20 to 1 row"}, []any{r.State, r.Note}, r.String())
	require.Equal(t, 20, one[int](b, `select count(*) from bookings where status = 'booked'`))
}

func TestCorrectionsIdsThatMeanOthersHideNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lines := strings.SplitAfter(offenders(60), "\n")
	for i := range 60 {
		if i%2 == 1 {
			lines[i] = strings.Replace(lines[i], "19870505", "19510301", 1)
		}
	}
	b.run("corrections-fixed", "offenders.txt", strings.Join(lines, ""), day)
	whole := slices.Clone(lines[:60])
	lines = append(lines[:60:60], lines[0])
	for i := range 60 { // each id with the next one's person
		lines[i] = lines[i][:8] + lines[i+1][8:]
	}
	some := slices.Concat(lines[:24:24], whole[24:])
	r := b.run("corrections-fixed", "offenders.txt", strings.Join(some, ""), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunPartial, false, 0, 24}, []any{r.State, r.Complete, r.Missing, r.Quarantined}, r.String())
	r = b.run("corrections-fixed", "offenders.txt", strings.Join(lines[:60], ""), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunHeld, false, 0}, []any{r.State, r.Complete, r.Missing}, r.String())
	require.Contains(t, r.Note, "the name of 60 of 60 people would change, and 60 of their rows would be refused because the key is known for another person")
	require.Zero(t, one[int](b, `select count(*) from corrections_records where withheld is not null`))
}

func TestGuarantee4HowManyRowsMayBeLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		untaken, rows int
		want          bool
	}{{0, 0, false}, {1, 1, false}, {1, 5, false}, {2, 30, true}, {2, 40, false}, {5, 100, false}, {6, 100, true}, {30, 30, true}} {
		require.Equal(t, c.want, reconcile.TooMany(c.untaken, c.rows), c)
	}
}
