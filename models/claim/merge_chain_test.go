package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAChainKeepsTheMarkOfTheFirstMerge(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	third := "THISTLEDOWN, PIP"
	j.Now = j.at(4)
	j.reads(lists, 3, j.row("A", third, 2, 0, 300), j.row("B", orla, 2, 0, 500), j.row("F", "LANTERNWOOD, AZ", 1, 0, 1))
	j.reads(changed, 3, j.row("C", tolliver, 2, 0, 600))
	j.Now = j.at(6)
	j.merges(orla, tolliver)
	j.Now = j.at(7)
	j.readsLate(changed, 5, j.row("C", tolliver, 2, 0, 900)) // of an hour before the merge, and news
	before := j.bookings()
	require.Contains(t, before, orla+" 2 booked 900")
	j.Now = j.at(8)
	unmerge := j.merges(third, orla)
	unmerge()
	require.Equal(t, before, j.bookings(), "merge then unmerge gives back what was")
}

func TestWhatAChainAttractedCountsOnceTheSecondMergeIsUndone(t *testing.T) {
	t.Parallel()
	for name, chain := range map[string]bool{"one merge": false, "a chain": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			third := "THISTLEDOWN, PIP"
			j.Now = j.at(3)
			j.reads(lists, 3, j.row("A", third, 2, 0, 300), j.row("B", orla, 2, 0, 500), j.row("C", tolliver, 2, 0, 600))
			a, b := j.id(third), j.id(orla)
			j.Now = j.at(4)
			j.merges(orla, tolliver)
			j.Now = j.at(5)
			if chain {
				require.NoError(t, j.Store.MergeBookings(j.Ctx, a, b))
			}
			j.Now = j.at(6)
			j.reads(changed, 6, j.row("M", tolliver, 2, 0, 900))
			j.Now = j.at(7)
			if chain {
				require.NoError(t, j.Store.Unmerge(j.Ctx, models.Roster, b, "desk", "looked at"))
			}
			require.Equal(t, third+" 2 booked 300; "+tolliver+" 2 booked 900", j.bookings())
		})
	}
}
