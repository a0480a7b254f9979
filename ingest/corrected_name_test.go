package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

// TestGuarantee6ASlipInANameIsCorrectedUnderItsKey corrects names that no table of names ties to each other: where the birth is
// the same, so is the person, and only another name is another person's.
func TestGuarantee6ASlipInANameIsCorrectedUnderItsKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, first, then, dob string
		same                   bool
	}{
		{"a letter more", "MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", "1980-05-05", true},
		{"a letter more, of a year", "MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", "1980", true},
		{"a letter more, of nobody knows when", "MOONSAIL, SAMANTH", "MOONSAIL, SAMANTHA", "", false},
		{"another name", "MOONSAIL, SAMANTHA", "MOONSAIL, ROBERTA", "1980-05-05", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := sourceWith(t, "county-a", "columns: [id, name, booked, bond]", "columns: [id, name, dob, booked, bond]", "person: {name: name}", "person: {name: name, dob: {from: dob, layouts: ['2006-01-02', '2006']}}")
			file := func(name string) string {
				return "id,name,dob,booked,bond\n" + strings.ReplaceAll(others, "2026-02-01", "1975-03-03,2026-02-01") + fmt.Sprintf("A1,%q,%s,2026-02-01 10:00,$500.00\n#end\n", name, c.dob)
			}
			b.runSource(s, "a.csv", file(c.first), day)
			r := b.runSource(s, "b.csv", file(c.then), day.AddDate(0, 0, 1))
			shown := one[string](b, `select name || ' ' || status from bookings where name like 'MOONSAIL%'`)
			if c.same {
				require.Equal(t, []any{source.RunOK, 1, 0, c.then + " booked"}, []any{r.State, r.Changed, r.Quarantined, shown}, r.String())
				require.Equal(t, 1, one[int](b, `select count(*) from record_changes where field = 'name'`))
				return
			}
			require.Equal(t, []any{1, 0, c.first + " booked"}, []any{r.Quarantined, r.Changed, shown}, r.String())
		})
	}
}
