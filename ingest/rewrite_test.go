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
		{"a blank column of bonds", func(int) string { return "DUI," }, "the bond of 12 of the 12 known people in it would change at once"},
		{"bonds in cents", func(i int) string { return fmt.Sprintf("DUI,$%d.00", 50000+100*i) }, "the bond of 12 of the 12 known people"},
		{"bonds of the next row", func(i int) string { return fmt.Sprintf("DUI,$%d.00", 501+i) }, "the bond of 12 of the 12 known people"},
		{"a blank column of charges", func(i int) string { return fmt.Sprintf(",$%d.00", 500+i) }, "the charges of 12 of the 12 known people"},
		{"bonds and charges in each other's column", func(i int) string { return fmt.Sprintf("$%d.00,DUI", 500+i) }, "the charges of 12 of the 12 known people"},
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

func TestGuarantee4AColumnOfACorrectionsFileThatMeansSomethingElseIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := offenders(40)
	b.run("corrections-fixed", "offenders.txt", first, day)
	r := b.run("corrections-fixed", "offenders.txt", flagged(first, "S"), day.AddDate(0, 1, 0))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.Changed}, r.String())
	require.Contains(t, r.Note, "the category of 40 of the 40 known people in it would change at once")
}
