package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// fewest is a roster of n of the 20 people, those with the highest numbers.
func fewest(n int) string {
	gone := make([]int, 20-n)
	for i := range gone {
		gone[i] = i
	}
	return roster(20, gone...)
}

func TestGuarantee4AnOperatorClearsTheShrinkThatHeLookedAt(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		then   string
		after  int // hours after the held one
		state  models.RunState
		closed int
		spent  bool // the operator's word
	}{
		{"the same file again", fewest(10), 1, models.RunOK, 10, true},
		{"one more is gone", fewest(9), 1, models.RunOK, 11, true},
		{"the others are gone", roster(20, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), 1, models.RunHeld, 0, false},
		{"half are others", roster(20, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), 1, models.RunHeld, 0, false},
		{"four more are gone", fewest(6), 1, models.RunHeld, 0, false},
		{"a whole file", fewest(19), 1, models.RunOK, 1, true},
		{"one row is left", fewest(1), 1, models.RunHeld, 0, false},
		{"as many rows of strangers", strings.ReplaceAll(strings.ReplaceAll(fewest(10), "QUILL", "MOON"), "\nK", "\nM"), 1, models.RunHeld, 0, false},
		{"as many rows and no bonds", strings.ReplaceAll(fewest(10), "$500.00", ""), 1, models.RunHeld, 0, false},
		{"an older file that is as short", fewest(10), -1, models.RunHeld, 0, false},
		{"an older file that is whole", fewest(19), -1, models.RunOK, 1, false},
		{"a file without its end", strings.TrimSuffix(fewest(10), "#end\n"), 1, models.RunPartial, 0, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := rosterSource(t, "county-a", 1)
			s.Complete.Shrink = 0.4
			b.runSource(s, "roster.csv", roster(20), day)
			held := b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 1))
			require.Equal(t, []any{models.RunHeld, "it shrank from 20 to 10 rows"}, []any{held.State, held.Note})
			require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))

			hours := 24 + c.after
			r := b.runSource(s, "roster.csv", c.then, day.Add(time.Duration(hours)*time.Hour))
			require.Equal(t, []any{c.state, c.closed}, []any{r.State, r.Closed}, r.String())
			require.Equal(t, c.spent, !one[bool](b, `select waived from sources`))
			require.Equal(t, 20-c.closed, one[int](b, `select count(*) from bookings where status = 'booked' and name like 'QUILL%'`))
		})
	}
}

func TestGuarantee4AClearedHoldIsTakenByItsReplayWhateverHeldIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 1))
	newest := b.runSource(s, "roster.csv", strings.ReplaceAll(fewest(5), "$500.00", ""), day.AddDate(0, 0, 2))
	require.Equal(t, models.RunHeld, newest.State)
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	r, err := b.runner.Replay(t.Context(), s, newest.Run)
	require.NoError(t, err)
	require.Equal(t, []any{models.RunOK, 15, 5}, []any{r.State, r.Closed, r.Changed}, "the operator named the run: "+r.String())
	require.False(t, one[bool](b, `select waived from sources`))
}

func TestGuarantee4AnOperatorClearsTheChangesThatHeLookedAt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	b.runSource(s, "roster.csv", roster(20), day)
	cents := strings.NewReplacer("$500.00", "$50000.00")
	held := b.runSource(s, "roster.csv", cents.Replace(roster(20)), day.AddDate(0, 0, 1))
	require.Contains(t, held.Note, "the bond of 20 of the 20 known people in it would change at once")
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	names := strings.NewReplacer("QUILLFEATHER", "QUILLFEATHERS")
	r := b.runSource(s, "roster.csv", names.Replace(cents.Replace(roster(20))), day.AddDate(0, 0, 1).Add(time.Hour))
	require.Equal(t, models.RunHeld, r.State, "nobody looked at other names: %s", r)
	require.Contains(t, r.Note, "the name of 20")
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	r = b.runSource(s, "roster.csv", names.Replace(roster(20)), day.AddDate(0, 0, 2))
	require.Equal(t, []any{models.RunOK, 20}, []any{r.State, r.Changed}, r.String())
}

func TestGuarantee4AClearanceIsForThePeopleWhomItWasGivenFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	b.runSource(s, "roster.csv", roster(20), day)
	b.runSource(s, "roster.csv", fewest(10), day.AddDate(0, 0, 1))
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	r := b.runSource(s, "roster.csv", roster(20, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), day.AddDate(0, 0, 1).Add(time.Hour))
	ids := one[[]string](b, `select array_agg(id order by id) from (select b.id from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key in ('K10', 'K11', 'K12', 'K13', 'K14', 'K15', 'K16', 'K17', 'K18', 'K19') order by b.id limit 5) x`)
	require.Equal(t, "beyond what an operator cleared, it would release 10 of the 20 people whom it has in jail at once: a column may mean something else now (new among those: "+strings.Join(ids, ", ")+" and 5 more)", r.Note)
	require.Zero(t, one[int](b, `select count(*) from bookings where released_at is not null`))

	t.Log("facts of others, too")
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	b.runSource(s, "roster.csv", roster(20), day.AddDate(0, 0, 2))
	bonds := func(from, to int) string {
		lines := strings.Split(roster(20), "\n")
		for i := from; i < to; i++ {
			lines[1+i] = strings.Replace(lines[1+i], "$500.00", "$50000.00", 1)
		}
		return strings.Join(lines, "\n")
	}
	require.Equal(t, models.RunHeld, b.runSource(s, "roster.csv", bonds(0, 11), day.AddDate(0, 0, 3)).State)
	require.NoError(t, b.store.ReleaseSource(t.Context(), s.ID))
	r = b.runSource(s, "roster.csv", bonds(9, 20), day.AddDate(0, 0, 3).Add(time.Hour))
	require.Equal(t, []any{models.RunOK, 11}, []any{r.State, r.Changed}, "nine beyond the two are few: %s", r)
}
