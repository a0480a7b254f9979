package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
)

// roster writes a whole snapshot of n invented people, without those left out.
func roster(n int, without ...int) string {
	var b strings.Builder
	b.WriteString("id,name,booked,bond\n")
	gone := map[int]bool{}
	for _, w := range without {
		gone[w] = true
	}
	for i := range n {
		if !gone[i] {
			fmt.Fprintf(&b, "K%d,\"QUILLFEATHER%c, WREN\",2026-01-05 10:%02d,$500.00\n", i, 'A'+rune(i), i)
		}
	}
	return b.String() + "#end\n"
}

func TestGuarantee4ASourceThatShrinksTooFarIsHeldUntilItIsReleased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "shrinking", 1)
	s.Complete.Shrink = 0.4
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	r := b.runSource(s, "roster.csv", roster(20), day)
	require.True(t, r.Complete, r.String())

	r = b.runSource(s, "roster.csv", roster(5), day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Equal(t, 20, one[int](b, `select count(*) from bookings where status = 'booked'`))

	r = b.runSource(s, "roster.csv", roster(20, 0), day.AddDate(0, 0, 2))
	require.Equal(t, source.RunHeld, r.State, "even a whole snapshot waits for the operator")

	r = b.release(s)
	require.Equal(t, []any{source.RunOK, 15}, []any{r.State, r.Closed}, r.String())
	r = b.runSource(s, "roster.csv", roster(5), day.AddDate(0, 0, 3))
	require.Equal(t, []any{source.RunOK, 0}, []any{r.State, r.Closed}, r.String())
}

func TestGuarantee4AnEmptyJailIsReleasedWhenAnOperatorSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "small", ", min_rows: 1", "")
	r := b.runSource(s, "roster.csv", roster(0), day)
	require.Equal(t, source.RunPartial, r.State, "a source that never listed anybody may be read wrongly: %s", r)
	b.runSource(s, "roster.csv", roster(3), day.AddDate(0, 0, 1))
	r = b.runSource(s, "roster.csv", roster(0), day.AddDate(0, 0, 2))
	require.Equal(t, []any{source.RunHeld, "it shrank from 3 to 0 rows", 0}, []any{r.State, r.Note, r.Closed}, r.String())
	would, err := b.runner.Rehearse(t.Context(), s, r.Run)
	require.NoError(t, err)
	require.Len(t, would.Gone, 3)
	r = b.release(s)
	require.Equal(t, []any{source.RunOK, 3}, []any{r.State, r.Closed}, r.String())
	r = b.runSource(s, "roster.csv", roster(0), day.AddDate(0, 0, 3))
	require.Equal(t, []any{source.RunOK, 0}, []any{r.State, r.Closed}, "it stays empty: %s", r)
	require.Equal(t, 1, b.runSource(s, "roster.csv", roster(1), day.AddDate(0, 0, 4)).Reopened)
}

func TestGuarantee4ATruncatedFileReleasesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "truncated", 1)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(s, "roster.csv", roster(20), day)
	r := b.runSource(s, "roster.csv", roster(20)[:300], day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunPartial, false, 0}, []any{r.State, r.Complete, r.Closed}, r.String())
	require.Equal(t, 20, one[int](b, `select count(*) from bookings where status = 'booked'`))
}

func TestGuarantee7WhoeverComesBackIsReopenedWithHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "returning", 1)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(s, "roster.csv", roster(5), day)
	r := b.runSource(s, "roster.csv", roster(5, 2), day.AddDate(0, 0, 1))
	require.Equal(t, 1, r.Closed, r.String())
	require.Equal(t, "2026-02-01 2026-02-02 t", one[string](b, `select concat_ws(' ', release_after::date, released_at::date, release_inferred) from bookings where status = 'released'`))
	r = b.runSource(s, "roster.csv", roster(5), day.AddDate(0, 0, 2))
	require.Equal(t, 1, r.Reopened, r.String())
	require.Equal(t, 5, one[int](b, `select n from roster_totals where county_id = 0 and status = 'booked'`))
	require.Equal(t, "release_inferred: false>true, release_inferred: true>false, released_at: >2026-02-02T12:00:00.000000Z, released_at: 2026-02-02T12:00:00.000000Z>",
		one[string](b, `select string_agg(field || ': ' || coalesce(before, '') || '>' || coalesce(after, ''), ', ' order by field, id) from record_changes`))
}

func TestGuarantee6TheSameKeyWithAnotherPersonGoesToQuarantine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "stranger", 1)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(s, "roster.csv", roster(5), day)
	r := b.runSource(s, "roster.csv", strings.Replace(roster(5), "QUILLFEATHERC, WREN", "MOONSAIL, ORLA", 1), day.AddDate(0, 0, 1))
	require.Equal(t, map[string]int{"identity: the key is known for another person": 1}, r.Reasons, r.String())
	require.Zero(t, one[int](b, `select count(*) from bookings where name like 'MOONSAIL%'`))
	sealed := one[[]byte](b, `select encrypted from quarantine where line = 4`)
	require.NotContains(t, string(sealed), "MOONSAIL")
	plain, err := b.runner.Seal.Open(sealed, "quarantine of stranger")
	require.NoError(t, err)
	require.Contains(t, string(plain), "MOONSAIL, ORLA")

	r = b.runSource(s, "roster.csv", strings.Replace(roster(5), "QUILLFEATHERC, WREN", "QUILLFEATHERC, WREN A", 1), day.AddDate(0, 0, 2))
	require.Equal(t, []int{1, 0}, []int{r.Changed, r.Quarantined}, r.String())
}

func TestAPersonWhoseRowCanNotBeReadIsNotMissing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "unreadable", 1)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	b.runSource(s, "roster.csv", roster(6), day)
	r := b.runSource(s, "roster.csv", strings.Replace(roster(6, 0), "2026-01-05 10:03", "soon", 1), day.AddDate(0, 0, 1))
	require.Equal(t, []any{true, 1, 1}, []any{r.Complete, r.Closed, r.Quarantined}, r.String())
	require.Equal(t, "QUILLFEATHERA, WREN", one[string](b, `select name from bookings where status = 'released'`))
}

func TestAPartOfAnUnknownCaseWaitsAndALateDeltaTakesNothingBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	day := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	ce := func(clock string) string {
		return "CE\tClarke\tMG\t1\tMG-1\t5\t03/02/2026\t" + clock + "\tARR\t1A\tHON. A\t\t\t\t\n"
	}
	ca := "CA\tClarke\tMG\t1\tMG-1\tQUILLFEATHER\tWREN\t\t02/01/2026\t\t\t\t\t\t\t\t\t\t\n"
	r := b.run("court-delta", "a.txt", ce("09:00"), day)
	require.Equal(t, []any{source.RunOK, 1, 0, true}, []any{r.State, r.Pending, r.Quarantined, r.OK()}, r.String())
	require.Contains(t, r.String(), "1 row waits for its case, which no file has shown yet")
	r = b.run("court-delta", "b.txt", ca+ce("10:00"), day.AddDate(0, 0, 2))
	require.Equal(t, []int{1, 0, 1}, []int{r.New, r.Quarantined, r.Resolved}, r.String())
	b.run("court-delta", "c.txt", ce("09:00"), day.AddDate(0, 0, 1))
	require.Equal(t, "10:00", one[string](b, `select time from hearings`))
	r = b.run("court-delta", "d.txt", "DE\tClarke\tMG\tMG-1\t5\t\n", day.AddDate(0, 0, 3))
	require.Equal(t, 1, r.Removed, r.String())
	b.run("court-delta", "e.txt", ce("11:00"), day.AddDate(0, 0, 2))
	require.Zero(t, one[int](b, `select count(*) from hearings`), "a late record does not bring a hearing to life that was taken back")
}

func TestGuarantee1MistakesInADocumentAreReportedWithTheirPath(t *testing.T) {
	t.Parallel()
	base := fmt.Sprintf(rosterDocument, "county-a", 1)
	cases := []struct{ name, old, new, want string }{
		{"a field that does not exist", "booking: {number: id,", "booking: {number: id, bookd_at: id,", "fields.booking.bookd_at: booking has no such field; did you mean \"booked_at\"?"},
		{"a column that does not exist", "name: name", "name: nam", `fields.person.name.from: there is no column "nam"; did you mean "name"?`},
		{"a layout without a year", "'2006-01-02 15:04'", "'15:04'", `fields.booking.booked_at.layouts[0]: layout "15:04" names no year`},
		{"absence that can not mean a release", "policy: full_roster", "policy: delta", "publish.absence: a source of policy delta does not list everyone"},
		{"a key made of the time of the run", "of: [booking.number]", "of: [booking.observed_at]", "identity.booking[0].of[0]: the time of a run cannot identify a record"},
		{"an unknown format", "format: csv", "format: cvs", `decode.format: "cvs" is not allowed; did you mean "csv"?`},
		{"an unknown step", "bond: bond}", "bond: {from: bond, steps: [trimm]}}", `fields.booking.bond.steps[0]: unknown step "trimm"; did you mean "trim"?`},
		{"an unknown key", "kind: roster", "kind: roster\ncolour: red", "colour: unknown key"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(base, c.old, c.new, 1)
			require.NotEqual(t, base, changed)
			_, err := ingest.Parse([]byte(changed))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestGuarantee1ASampleShowsTheLayoutThatDoesNotFit(t *testing.T) {
	t.Parallel()
	s := rosterSource(t, "county-a", 1)
	counties := models.CountiesOf([]*models.County{{ID: 17, Slug: "ben-hill", Name: "Ben Hill"}})
	p, err := s.Preview("roster.csv", []byte("id,name,booked,bond\n1,\"MOONSAIL, ORLA\",11:00PM,\n#end\n"), counties, seen)
	require.NoError(t, err)
	require.Equal(t, []string{`fields.booking.booked_at: layout "2006-01-02 15:04" does not match "11:00PM" in sample row 1`}, p.Bad)
}
