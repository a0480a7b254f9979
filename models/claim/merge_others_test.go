package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnUnmergeLeavesTheSuccessionsOfAnotherMerge(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	third := "THISTLEDOWN, PIP"
	fill := j.row("F", "LANTERNWOOD, AZ", 1, 0, 1)
	c := j.row("T", third, 2, 0, 300)
	j.Now = j.at(3)
	j.reads(lists, 3, fill, c, j.row("K", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 400))
	kept, other := j.id(orla), j.id(third)
	j.Now = j.at(4)
	j.merges(orla, tolliver)
	j.Now = j.at(5)
	j.reads(changed, 5, j.row("M", orla, 2, 0, 700))
	require.Contains(t, j.bookings(), "2 booked 700")
	j.Now = j.at(6)
	j.reads(lists, 6, fill, c, j.row("K", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 500))
	require.Contains(t, j.bookings(), "2 booked 700")
	j.Now = j.at(7)
	j.reads(lists, 7, fill, c, j.row("G", tolliver, 2, 0, 500)) // K is gone, G leads; the list says what it said since 3
	before := j.bookings()
	require.Contains(t, before, "booked 700")
	j.Now = j.at(8)
	require.NoError(t, j.Store.MergeBookings(j.Ctx, kept, other))
	require.NoError(t, j.Store.Unmerge(j.Ctx, models.Roster, other, "desk", "looked at"))
	require.Equal(t, before, j.bookings(), "merge then unmerge gives back what was")
}

func TestAnUnmergeOfAnotherReleasesNobody(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	third := "THISTLEDOWN, PIP"
	fill := j.row("F", "LANTERNWOOD, AZ", 1, 0, 1)
	c := j.row("T", third, 2, 0, 300)
	j.Now = j.at(3)
	j.reads(lists, 3, fill, c, j.row("K", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 500))
	kept, other := j.id(orla), j.id(third)
	j.Now = j.at(4)
	j.merges(orla, tolliver)
	// The list says released since 5; the jail's messages say since 6 that the person is held.
	j.Now = j.at(5)
	j.reads(lists, 5, fill, c, j.row("K", orla, 2, 4, 500), j.row("G", tolliver, 2, 0, 500))
	j.reads(changed, 5, j.row("M", orla, 2, 4, 500))
	j.Now = j.at(6)
	held := j.row("M", orla, 2, 0, 500)
	held.Held, held.Fingerprint = true, []byte("held")
	j.reads(changed, 6, held)
	require.Contains(t, j.bookings(), orla+" 2 booked 500")
	j.Now = j.at(7)
	j.reads(lists, 7, fill, c, j.row("K", orla, 2, 4, 500), j.row("G", tolliver, 2, 4, 500))
	require.Contains(t, j.bookings(), orla+" 2 booked 500")
	j.Now = j.at(8)
	j.reads(lists, 8, fill, c, j.row("G", tolliver, 2, 4, 500))
	before := j.bookings()
	require.Contains(t, before, "2 booked 500")
	j.Now = j.at(9)
	require.NoError(t, j.Store.MergeBookings(j.Ctx, kept, other))
	require.NoError(t, j.Store.Unmerge(j.Ctx, models.Roster, other, "desk", "looked at"))
	var events string
	require.NoError(t, j.Pool.QueryRow(j.Ctx, `select coalesce(string_agg(concat_ws(' ', c.kind, c.name, c.record_id = $1), '; ' order by c.id), '') from changes c where c.detected_at >= $2`, kept, j.Now).Scan(&events))
	require.Equal(t, before, j.bookings(), "merge then unmerge gives back what was; watchers are notified of: "+events)
}

func TestAnUnmergeFromAChainLeavesTheSuccessionsOfTheFirstMerge(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	third := "THISTLEDOWN, PIP"
	fill := j.row("F", "LANTERNWOOD, AZ", 1, 0, 1)
	c := j.row("T", third, 2, 0, 300)
	j.Now = j.at(3)
	j.reads(lists, 3, fill, c, j.row("K", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 400))
	kept, other := j.id(orla), j.id(third)
	j.Now = j.at(4)
	j.merges(orla, tolliver)
	j.Now = j.at(5)
	j.reads(changed, 5, j.row("M", orla, 2, 0, 700))
	require.Contains(t, j.bookings(), "2 booked 700")
	j.Now = j.at(6)
	j.reads(lists, 6, fill, c, j.row("K", orla, 2, 0, 500), j.row("G", tolliver, 2, 0, 500))
	require.Contains(t, j.bookings(), "2 booked 700")
	j.Now = j.at(7)
	j.reads(lists, 7, fill, c, j.row("G", tolliver, 2, 0, 500)) // K is gone, G leads; the list says what it said since 3
	before := j.bookings()
	require.Contains(t, before, "booked 700")
	j.Now = j.at(8)
	require.NoError(t, j.Store.MergeBookings(j.Ctx, other, kept))
	require.NoError(t, j.Store.Unmerge(j.Ctx, models.Roster, kept, "desk", "looked at"))
	require.Equal(t, before, j.bookings(), "merge then unmerge gives back what was")
}
