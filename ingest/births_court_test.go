package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// TestGuarantee11HearingsAndChargesStateNoBirths reads the files of a clerk's delta (FEEDS.md, F22): hearings and charges come
// in files of their own and are no reason to miss birth dates, but cases without them are.
func TestGuarantee11HearingsAndChargesStateNoBirths(t *testing.T) {
	t.Parallel()
	const people = 12
	each := func(row func(n int) string) string {
		var out strings.Builder
		for n := range people {
			out.WriteString(row(n))
		}
		return out.String()
	}
	// Cases of a day: the numbers differ from file to file.
	cases := func(day int, births bool) string {
		return each(func(n int) string {
			dob := ""
			if births {
				dob = fmt.Sprintf("%02d/%02d/19%02d", 1+n%12, 1+n, 60+n)
			}
			return fmt.Sprintf("CA\tClarke\tMG\t1\tMG-%d-%d\t%s\tWREN\t\t02/%02d/2026\t\t\t\t\t%s\t\t\t\t\t\n", day, n, surnames[n], day, dob)
		})
	}
	hearings := each(func(n int) string {
		return fmt.Sprintf("CE\tClarke\tMG\t1\tMG-1-%d\t5\t03/02/2026\t09:00\tARR\t1A\tHON. A\t\t\t\t\n", n)
	})
	charges := each(func(n int) string {
		return fmt.Sprintf("CH\tClarke\tMG\t1\tMG-1-%d\t1\t16-7-60\tF\t\t\tARSON\t\t\t\t\n", n)
	})
	for _, county := range []string{"", "clarke"} {
		t.Run("county "+county, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s, err := ingest.Load("court-delta")
			require.NoError(t, err)
			s.County = county
			id := "court-delta"
			if county == "" {
				id = models.ScopeID(id, "clarke")
			}
			for i, text := range []string{cases(1, true), hearings, charges, hearings + charges, cases(2, true)} {
				r := b.runSource(s, fmt.Sprintf("%d.txt", i), text, day.AddDate(0, 0, i))
				require.Equal(t, []any{source.RunOK, models.SourceOK}, []any{r.State, b.sources()[id].State()}, "file %d: %s", i, r)
			}
			require.Equal(t, []int{2 * people, people}, []int{one[int](b, `select count(*) from court_cases`), one[int](b, `select count(*) from hearings`)})

			r := b.runSource(s, "6.txt", cases(3, false), day.AddDate(0, 0, 6))
			require.Equal(t, models.SourceHeld, b.sources()[id].State(), r.String())
			require.Contains(t, r.Note, "0 of 12 rows state when a person was born, before it were 24 of 24")
			require.Equal(t, 2*people, one[int](b, `select count(*) from court_cases`), "nobody is published while the birth dates are gone")
			b.release(s)
			require.Equal(t, 3*people, one[int](b, `select count(*) from court_cases`))
			r = b.runSource(s, "7.txt", cases(4, false), day.AddDate(0, 0, 7))
			require.Equal(t, source.RunOK, r.State, "an operator has seen it: %s", r)
		})
	}
}
