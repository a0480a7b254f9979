package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// crowd writes a whole snapshot of n invented people whose keys begin with prefix, booked on a day.
func crowd(prefix, surname string, n int, booked string) string {
	var b strings.Builder
	b.WriteString("id,name,booked,bond\n")
	for i := range n {
		fmt.Fprintf(&b, "%s%d,\"%s%c, WREN\",%s 10:%02d,$500.00\n", prefix, i, surname, 'A'+rune(i), booked, i)
	}
	return b.String() + "#end\n"
}

func TestGuarantee4ASourceWhoseKeysWereRenumberedIsHeldAndTakenUpAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", crowd("K", "QUILLFEATHER", 12, "2026-01-05"), day)
	told := one[int](b, `select count(*) from changes`)

	renumbered := crowd("N-", "QUILLFEATHER", 12, "2026-01-05")
	r := b.runSource(s, "roster.csv", renumbered, day.AddDate(0, 0, 1))
	require.Equal(t, []any{source.RunHeld, 0, 0}, []any{r.State, r.New, r.Closed}, r.String())
	require.Equal(t, "12 of the 12 people who are gone from it are still in it under new keys, by name and time of booking: its keys were renumbered", r.Note)
	would, err := b.runner.Rehearse(t.Context(), s, r.Run)
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 12}, []int{would.New, would.Closed, would.Again}, "nobody would be released either way, but somebody has to look whether the keys are the right ones")

	r, err = b.runner.Release(t.Context(), s, nil, ingest.Decision{Renumbered: true})
	require.NoError(t, err)
	require.Equal(t, []any{source.RunOK, 12, 0, 0, 0}, []any{r.State, r.Adopted, r.New, r.Closed, r.Changed}, r.String())
	r = b.runSource(s, "roster.csv", strings.Replace(renumbered, "N-3,\"QUILLFEATHERD, WREN\",2026-01-05 10:03,$500.00\n", "", 1), day.AddDate(0, 0, 3))
	require.Equal(t, []any{source.RunOK, 0, 1}, []any{r.State, r.New, r.Closed}, r.String())
	require.Equal(t, "QUILLFEATHERD, WREN", one[string](b, `select name from bookings where status = 'released'`))
	require.Equal(t, told+1, one[int](b, `select count(*) from changes`), "one release, and nothing else")

	t.Log("the operator's word holds for one snapshot")
	r = b.runSource(s, "roster.csv", crowd("P-", "QUILLFEATHER", 12, "2026-01-05"), day.AddDate(0, 0, 4))
	require.Equal(t, source.RunHeld, r.State, r.String())
}

func TestGuarantee4OneNumberThatIsCorrectedTwiceIsNoRenumbering(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 2)
	whole := crowd("K", "QUILLFEATHER", 12, "2026-01-05")
	for i, key := range []string{"K3", "N3", "P3", "Q3"} {
		r := b.runSource(s, "roster.csv", strings.Replace(whole, "K3,", key+",", 1), day.AddDate(0, 0, i))
		require.Equal(t, source.RunOK, r.State, r.String())
	}
	require.Equal(t, 12, one[int](b, `select count(*) from bookings where status = 'booked'`))
}

func TestGuarantee4ASnapshotOfStrangersIsHeld(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		people  int
		booked  string
		after   int // days
		surname string
		held    bool
	}{
		{"all of twelve are others overnight", 12, "2026-02-01", 1, "MOONSAIL", true},
		{"all of three are others overnight", 3, "2026-02-01", 1, "MOONSAIL", false},
		{"all of six are others, booked long ago", 6, "2026-01-05", 1, "MOONSAIL", true},
		{"both of two are others, booked long ago", 2, "2026-01-05", 1, "MOONSAIL", true},
		{"the only one is another, booked in the same minute", 1, "2026-01-04", 1, "MOONSAIL", true},
		{"the only one is another, booked long ago", 1, "2026-01-05", 1, "MOONSAIL", false},
		{"all of twelve are others after a month, booked since", 12, "2026-02-20", 30, "MOONSAIL", false},
		{"all of twelve are others after a month, booked long before", 12, "2026-01-05", 30, "MOONSAIL", true},
		{"all of three stand under new keys", 3, "2026-01-04", 1, "QUILLFEATHER", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := rosterSource(t, "county-a", 1)
			b.runSource(s, "roster.csv", crowd("K", "QUILLFEATHER", c.people, "2026-01-04"), day)
			r := b.runSource(s, "roster.csv", crowd("N", c.surname, c.people, c.booked), day.AddDate(0, 0, c.after))
			require.Equal(t, c.held, r.State == source.RunHeld, r.String())
			if c.held {
				require.Equal(t, c.people, one[int](b, `select count(*) from bookings where status = 'booked'`))
			}
		})
	}
}

func TestGuarantee4ACorrectionsFileWhoseIdsChangedIsHeld(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := offenders(40)
	b.run("corrections-fixed", "offenders.txt", first, day)
	r := b.run("corrections-fixed", "offenders.txt", strings.ReplaceAll("\n"+first, "\n00", "\n77")[1:], day.AddDate(0, 1, 0))
	require.Equal(t, []any{source.RunHeld, 0}, []any{r.State, r.New}, r.String())
	require.Contains(t, r.Note, "40 of the 40 people who are gone from it are still in it under new keys, by name and birth date")
	require.Equal(t, 40, one[int](b, `select count(*) from published_corrections`))
}
