package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

// without is a roster of 40 people that lacks the first n of them.
func without(n int) string {
	gone := make([]int, n)
	for i := range gone {
		gone[i] = i
	}
	return roster(40, gone...)
}

func TestGuarantee4SmallStepsOfADayAreJudgedTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := rosterSource(t, "county-a", 1)
	s.Complete.Shrink = 0.4
	at := day
	hourly := func(gone int) []any {
		at = at.Add(time.Hour)
		r := b.runSource(s, "roster.csv", without(gone), at)
		return []any{r.State, r.Note, r.Closed}
	}
	hourly(0)
	for i, gone := range []int{6, 11, 15} {
		require.Equal(t, []any{source.RunOK, "", []int{6, 5, 4}[i]}, hourly(gone))
	}
	require.Equal(t, []any{source.RunHeld, "it shrank from 40 to 21 rows within a day", 0}, hourly(19))
	require.Equal(t, 25, one[int](b, `select count(*) from bookings where status = 'booked'`))

	t.Log("an operator's word is the end of it, and of what came before")
	require.Equal(t, 4, b.release(s).Closed)
	require.Equal(t, []any{source.RunOK, "", 0}, hourly(19))
	require.NoError(t, b.store.HoldSource(t.Context(), s.ID, "to look at it", at))
	b.release(s)
	require.Equal(t, []any{source.RunOK, "", 3}, hourly(22))

	t.Log("a snapshot that comes late is judged by its own day")
	at = day.Add(150 * time.Minute)
	require.Equal(t, []any{source.RunPartial, "absence is not read: it is older than the last one and much smaller", 0}, hourly(39))
}

func TestGuarantee4DaysOfManyReleasesAreNotHeld(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		every  time.Duration
		gone   []int // of 40
		window int   // days
	}{
		{"a lock-up of twelve that is empty but for two at noon", 2 * time.Hour, []int{28, 32, 35, 38}, 0},
		{"a jail of forty that lets fifteen go in a morning", time.Hour, []int{0, 3, 6, 9, 12, 15}, 0},
		{"a jail of forty that becomes half as full in three days", 12 * time.Hour, []int{0, 6, 11, 15, 19, 22}, 0},
		{"a jail that fills and empties again", time.Hour, []int{20, 10, 0, 8, 15}, 0},
		{"the arrests of two days, most of them those of a Saturday night", time.Hour, []int{0, 6, 11, 15, 19, 22}, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := rosterSource(t, "county-a", 1)
			s.Complete.Shrink = 0.4
			if c.window > 0 {
				s.Publish.Policy, s.Publish.WindowDays = "window", c.window
			}
			for i, gone := range c.gone {
				r := b.runSource(s, "roster.csv", without(gone), day.Add(time.Duration(i)*c.every))
				require.Equal(t, source.RunOK, r.State, r.String())
			}
		})
	}
}
