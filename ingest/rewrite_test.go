package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

const bondedDocument = `id: county-a
title: A county with charges and bonds
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: released}
decode: {format: csv, columns: [id, name, booked, charges, bond], end_marker: "#end"}
complete: {end_marker: true}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02']}, bond: bond}
  person: {name: name}
  charge: {each: {segments: {from: charges, on: [';']}}, description: text}
identity: {booking: [{of: [booking.number], strength: source}]}
`

// bonded writes n invented people; form makes charges and bond of the number.
func bonded(n int, form func(i int) string) string {
	var b strings.Builder
	b.WriteString("id,name,booked,charges,bond\n")
	for i := range n {
		fmt.Fprintf(&b, "K%d,\"QUILLFEATHER%c, WREN\",2026-01-%02d,%s\n", i, 'A'+rune(i), 1+i%28, form(i))
	}
	return b.String() + "#end\n"
}

func TestGuarantee9BondsAndChargesThatChangeOfNearlyEverybodyAreHeld(t *testing.T) {
	t.Parallel()
	plain := func(i int) string { return fmt.Sprintf("DUI,$%d.00", 500+i) }
	cases := []struct {
		name string
		form func(i int) string
		note string
	}{
		{"a blank column of bonds", func(int) string { return "DUI," }, "the bond of 12 of 12 people would change at once"},
		{"bonds in cents", func(i int) string { return fmt.Sprintf("DUI,$%d.00", 50000+100*i) }, "the bond of 12 of 12 people"},
		{"bonds of the next row", func(i int) string { return fmt.Sprintf("DUI,$%d.00", 501+i) }, "the bond of 12 of 12 people"},
		{"a blank column of charges", func(i int) string { return fmt.Sprintf(",$%d.00", 500+i) }, "the charges of 12 of 12 people"},
		{"bonds and charges in each other's column", func(i int) string { return fmt.Sprintf("$%d.00,DUI", 500+i) }, "the charges of 12 of 12 people"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Parse([]byte(bondedDocument))
			require.NoError(t, err)
			b.runSource(s, "a.csv", bonded(12, plain), day)
			told := one[int](b, `select count(*) from changes`)
			r := b.runSource(s, "b.csv", bonded(12, c.form), day.AddDate(0, 0, 1))
			require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
			require.Contains(t, r.Note, c.note)
			require.Equal(t, []int{12, told}, []int{one[int](b, `select count(*) from bookings where charges = '{DUI}' and bond_cents >= 50000`), one[int](b, `select count(*) from changes`)})
		})
	}
}

func TestGuarantee9FirstBondsAndThoseOfSomeAreOrdinary(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := ingest.Parse([]byte(bondedDocument))
	require.NoError(t, err)
	b.runSource(s, "a.csv", bonded(12, func(int) string { return "DUI," }), day)
	r := b.runSource(s, "b.csv", bonded(12, func(int) string { return "DUI,$500.00" }), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunOK, 12}, []any{r.State, r.Changed}, "all are given one: %s", r)
	r = b.runSource(s, "c.csv", bonded(12, func(i int) string { return fmt.Sprintf("DUI,$%d.00", 500+i/6) }), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunOK, 6}, []any{r.State, r.Changed}, "that of half of them changes: %s", r)
}

func TestGuarantee9AKeyThatIsGoneWipesNobodysCharges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.run("zuercher", "a.json", zuercherPage(8, "false"), day)
	r := b.run("zuercher", "b.json", strings.ReplaceAll(zuercherPage(8, "false"), "hold_reasons", "holdReasons"), day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
	require.Equal(t, 8, one[int](b, `select count(*) from bookings where charges = '{ARSON}'`))
}

// TestGuarantee9AFactThatFewHaveIsCountedAgainstThem empties a column that a third of all people had: that all of these lose it
// is implausible, whatever share of all people they are.
func TestGuarantee9AFactThatFewHaveIsCountedAgainstThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	release := func(of func(i int) string) string {
		lines := strings.Split(strings.TrimSuffix(offenders(60), "\n"), "\n")
		for i, line := range lines {
			lines[i] = line[:255] + of(i) + line[263:]
		}
		return strings.Join(lines, "\n") + "\n"
	}
	const never = "        "
	third := func(day string) func(int) string {
		return func(i int) string {
			if i%3 == 0 {
				return day
			}
			return never
		}
	}
	b.run("corrections-fixed", "offenders.txt", release(third("20300101")), day)
	dated := `select count(*) from corrections_records where release_date is not null`
	require.Equal(t, 20, one[int](b, dated))
	r := b.run("corrections-fixed", "offenders.txt", release(third(never)), day.AddDate(0, 1, 0))
	require.Equal(t, []any{source.RunHeld, 0, 20}, []any{r.State, r.Changed, one[int](b, dated)}, r.String())
	require.Contains(t, r.Note, "the release date of 20 of the 20 people who have one would change at once")
	b.discard(ingestSource(t, "corrections-fixed"))
	half := func(i int) string {
		if i%6 == 0 {
			return "20310101"
		}
		return third("20300101")(i)
	}
	r = b.run("corrections-fixed", "offenders.txt", release(half), day.AddDate(0, 1, 1))
	require.Equal(t, []any{source.RunOK, 10}, []any{r.State, r.Changed}, "half of them get another date: %s", r)
}

// ingestSource is a shipped source.
func ingestSource(t *testing.T, id string) *ingest.Source {
	t.Helper()
	s, err := ingest.Load(id)
	require.NoError(t, err)
	return s
}

func TestGuarantee4AColumnOfACorrectionsFileThatMeansSomethingElseIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := offenders(40)
	b.run("corrections-fixed", "offenders.txt", first, day)
	r := b.run("corrections-fixed", "offenders.txt", flagged(first, "S"), day.AddDate(0, 1, 0))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
	require.Contains(t, r.Note, "the category of 40 of 40 people would change at once")
}
