package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/ingest/reconcile"
	"rollcall/models/snapshot"
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
	require.Contains(t, would.String(), "rollcall sources release ID --renumbered")

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

func TestGuarantee4Turnover(t *testing.T) {
	t.Parallel()
	const hour, days = time.Hour, 24 * time.Hour
	cases := []struct {
		name string
		told snapshot.KeyTurnover
		held bool
	}{
		{"an ordinary day", snapshot.KeyTurnover{Listed: 100, Fresh: 15, Known: 100, Vanished: 14, Since: days}, false},
		{"half of a small jail within a day", snapshot.KeyTurnover{Listed: 22, Fresh: 11, Known: 22, Vanished: 11, Since: days}, false},
		{"most of a jail within an hour", snapshot.KeyTurnover{Listed: 100, Fresh: 60, Known: 100, Vanished: 60, Since: hour}, true},
		{"many new ones of whom nobody left", snapshot.KeyTurnover{Listed: 200, Fresh: 150, Known: 50, Since: hour}, false},
		{"many gone of whom nobody is new", snapshot.KeyTurnover{Listed: 40, Known: 100, Vanished: 60, Since: hour}, false},
		{"most of a jail in three days", snapshot.KeyTurnover{Listed: 100, Fresh: 80, Known: 100, Vanished: 80, Since: 3 * days}, false},
		{"nearly all of it in three days", snapshot.KeyTurnover{Listed: 100, Fresh: 95, Known: 100, Vanished: 95, Since: 3 * days}, true},
		{"all of it in eight days", snapshot.KeyTurnover{Listed: 100, Fresh: 100, Known: 100, Vanished: 100, Since: 8 * days}, false},
		{"a late snapshot of others", snapshot.KeyTurnover{Listed: 100, Fresh: 100, Overdue: 100, Known: 100, Vanished: 100, Since: -days}, false},
		{"all of four left, and four were booked", snapshot.KeyTurnover{Listed: 4, Fresh: 4, Known: 4, Vanished: 4, Since: days}, false},
		{"two who are late in a jail of ten, two left", snapshot.KeyTurnover{Listed: 10, Fresh: 2, Overdue: 2, Known: 10, Vanished: 2, Since: days}, false},
		{"one of two is replaced", snapshot.KeyTurnover{Listed: 2, Fresh: 1, Replaced: 1, Known: 2, Vanished: 1, Since: days}, false},
		{"both of two are corrected", snapshot.KeyTurnover{Listed: 2, Fresh: 2, Moved: 2, Known: 2, Vanished: 2, Since: days}, false},
		{"one person under a new key", snapshot.KeyTurnover{Listed: 3, Fresh: 1, Known: 3, Vanished: 1, Again: 1, Since: hour}, false},
		{"two of a thousand under new keys", snapshot.KeyTurnover{Listed: 1000, Fresh: 4, Known: 1000, Vanished: 4, Again: 2, Since: hour}, false},
		{"ten of a thousand under new keys", snapshot.KeyTurnover{Listed: 1000, Fresh: 12, Known: 1000, Vanished: 12, Again: 10, Since: hour}, true},
		{"a late snapshot under other keys", snapshot.KeyTurnover{Listed: 9, Fresh: 9, Known: 9, Vanished: 9, Again: 9, Since: -days}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.held, reconcile.KeyTurnover(c.told, 0.5) != "")
			c.told.Overdue, c.told.Again = 0, 0
			require.Empty(t, reconcile.KeyTurnover(c.told, 1), "where the document says that everybody may come and go")
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
