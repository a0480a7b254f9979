package ingest_test

import (
	"strings"
	"testing"

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
