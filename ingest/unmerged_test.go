package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAMergeIsTakenBackAfterItsNumberWasUsedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := sourceWith(t, "county-a")
	read := func(n int, rows ...string) {
		rows = append(rows, `K2,"THISTLEDOWN, PIP",2026-01-05 11:00,$1.00`)
		b.runSource(s, "a.csv", "id,name,booked,bond\n"+strings.Join(rows, "\n")+"\n#end\n", day.AddDate(0, 0, n))
	}
	read(1, `K1,"MOONSAIL, ORLA",2026-01-05 10:00,$1.00`, `K3,"MOONSAIL, ORLA",2026-01-05 16:00,$1.00`)
	ids := one[[]string](b, `select array_agg(id order by booked_at) from bookings where name like 'MOON%'`)
	require.NoError(t, b.store.MergeBookings(t.Context(), ids[0], ids[1]))
	read(2)
	read(3, `K3,"BRACKENRIDGE, TOLLIVER",2026-02-04 06:00,$1.00`)
	read(4)
	read(5, `K3,"LANTERNWOOD, AZ",2026-02-06 06:00,$1.00`)
	require.NoError(t, b.store.Unmerge(t.Context(), models.Roster, ids[1], "desk", "two people"))
	require.Equal(t, []string{"K1 0", "K3 1"}, one[[]string](b, `select array_agg(key || ' ' || stay order by key) from roster_claims c join bookings b on b.rid = c.record where b.name like 'MOON%'`))
	require.Equal(t, []string{"MOONSAIL, ORLA released", "MOONSAIL, ORLA released", "BRACKENRIDGE, TOLLIVER released", "LANTERNWOOD, AZ booked"},
		one[[]string](b, `select array_agg(name || ' ' || status order by booked_at) from bookings where name not like 'THIS%'`))
	r, err := b.store.Rebuild(t.Context(), models.Roster, true)
	require.NoError(t, err)
	require.Empty(t, r.Changes)
}

// What an operator lifted before a merge is lifted after it is taken back: the claims of the other booking had ended the ground.
func TestALiftOutlastsAMergeThatIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]bool{"the lifted one goes": true, "the lifted one stays": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			tells, other := twoFeeds(t)
			b.runSource(tells, "a.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,2009`), day)
			b.runSource(other, "b.csv", bornList(`B1,"MOONSAIL, CARL",2026-01-25 23:50,$1.00,03/05/1985`), day.Add(time.Hour))
			id := func(key string) string {
				return one[string](b, `select b.id from bookings b join roster_claims c on c.record = b.rid where c.key = $1`, key)
			}
			lifted, adult := id("A1"), id("B1")
			b.now = b.now.Add(time.Hour)
			require.NoError(t, b.store.Review(t.Context(), lifted, models.ReviewLifted, "desk", "looked at"))
			b.now = b.now.Add(time.Hour)
			both := []string{"MOONSAIL, CARL public", "MOONSAIL, CARL public"}
			require.Equal(t, both, b.hiding())
			kept, gone := adult, lifted
			if !goes {
				kept, gone = lifted, adult
			}
			require.NoError(t, b.store.MergeBookings(t.Context(), kept, gone))
			b.now = b.now.Add(time.Hour)
			require.NoError(t, b.store.Unmerge(t.Context(), models.Roster, gone, "desk", "two people"))
			require.Equal(t, both, b.hiding())
			r, err := b.store.Rebuild(t.Context(), models.Roster, true)
			require.NoError(t, err)
			require.Empty(t, r.Changes)

			t.Log("a source that speaks of a juvenile ends the decision as ever")
			b.now = b.now.Add(time.Hour)
			b.runSource(tells, "a.csv", bornList(`A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,2010`), b.now)
			require.ElementsMatch(t, []string{"MOONSAIL, CARL juvenile", "MOONSAIL, CARL public"}, b.hiding())
		})
	}
}
