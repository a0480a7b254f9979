package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAPersonBookedAgainUnderTheNumberThatWent(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string]bool{"not merged": false, "merged": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			k1 := j.row("K1", orla, 2, 4, 500)
			fill := j.row("F", "LANTERNWOOD, AZ", 1, 0, 1)
			j.Now = j.at(6)
			j.reads(lists, 6, fill, k1, j.row("K2", orla, 5, 0, 500))
			if merge {
				var ids []string
				require.NoError(t, j.Pool.QueryRow(j.Ctx, `select array_agg(id order by booked_at) from bookings where name = $1`, orla).Scan(&ids))
				require.NoError(t, j.Store.MergeBookings(j.Ctx, ids[0], ids[1]))
			}
			for hour := 7; hour < 10; hour++ {
				j.Now = j.at(hour)
				j.reads(lists, hour, fill, k1)
			}
			j.Now = j.at(20)
			j.reads(lists, 20, fill, k1, j.row("K2", orla, 19, 0, 800))
			require.Contains(t, j.bookings(), orla+" 19 booked 800")
			var n int
			require.NoError(t, j.Pool.QueryRow(j.Ctx, `select count(*) from changes where kind = 'booking' and booked_at = $1`, j.at(19)).Scan(&n))
			require.Equal(t, 1, n)
		})
	}
}

func TestANumberUsedAgainWhileMerged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		merge bool
		over  bool
	}{"not merged, over": {false, true}, "merged, over": {true, true}, "not merged, open": {false, false}, "merged, open": {true, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			released := 0
			if c.over {
				released = 4
			}
			k1 := j.row("K1", orla, 2, released, 500)
			fill := j.row("F", "LANTERNWOOD, AZ", 1, 0, 1)
			j.Now = j.at(6)
			j.reads(lists, 6, fill, k1, j.row("K2", orla, 5, 0, 500))
			if c.merge {
				var ids []string
				require.NoError(t, j.Pool.QueryRow(j.Ctx, `select array_agg(id order by booked_at) from bookings where name = $1`, orla).Scan(&ids))
				require.NoError(t, j.Store.MergeBookings(j.Ctx, ids[0], ids[1]))
			}
			j.Now = j.at(7)
			j.reads(lists, 7, fill, k1)
			j.Now = j.at(8)
			j.reads(lists, 8, fill, k1)
			j.Now = j.at(20)
			a := j.reads(lists, 20, fill, k1, j.row("K2", tolliver, 19, 0, 800))
			require.Empty(t, a.Rejected)
			require.Contains(t, j.bookings(), tolliver+" 19 booked 800")
		})
	}
}

func TestANumberUsedAgainAndThenUnmerged(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	fill := j.row("F", "LANTERNWOOD, AZ", 1, 0, 1)
	k1 := j.row("K1", orla, 2, 0, 500)
	j.Now = j.at(6)
	j.reads(lists, 6, fill, k1, j.row("K2", tolliver, 3, 0, 600))
	j.Now = j.at(7)
	unmerge := j.merges(orla, tolliver)
	j.Now = j.at(8)
	j.reads(lists, 8, fill, k1, j.row("K2", tolliver, 3, 7, 600))
	j.Now = j.at(20)
	j.reads(lists, 20, fill, k1, j.row("K2", "WINTERBOTTOM, SAL", 19, 0, 900))
	require.Contains(t, j.bookings(), "WINTERBOTTOM, SAL 19 booked 900")
	j.Now = j.at(21)
	unmerge()
	require.Equal(t, "LANTERNWOOD, AZ 1 booked 1; "+orla+" 2 booked 500; "+tolliver+" 3 released 7 600; WINTERBOTTOM, SAL 19 booked 900", j.bookings())
	rebuilt, err := j.Store.Rebuild(j.Ctx, models.Roster, true)
	require.NoError(t, err)
	require.Empty(t, rebuilt.Changes)
}
