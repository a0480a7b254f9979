package notifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// mergedTwo is a desk that watches two names, each of which has a booking.
func mergedTwo(t *testing.T) (d *desk, orla, tolliver person, fired func() []string, merge func() (unmerge func())) {
	t.Helper()
	d = newDesk(t)
	d.list(t, other)
	d.watch(t, models.NewWatcher{Name: "Orla Moonsail"})
	d.watch(t, models.NewWatcher{Name: "Salvador Wintergreen"})
	orla, tolliver = person{key: "1", name: "MOONSAIL, ORLA"}, person{key: "2", name: "WINTERGREEN, SALVADOR"}
	seen := 0
	fired = func() []string {
		all := d.fired(t)
		defer func() { seen = len(all) }()
		return all[seen:]
	}
	d.list(t, other, orla, tolliver)
	require.ElementsMatch(t, []string{"booking 1 Orla Moonsail", "booking 2 Salvador Wintergreen"}, fired())
	id := func(name string) (id string) {
		require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select id from bookings where name = $1`, name).Scan(&id))
		return id
	}
	kept, gone := id(orla.name), id(tolliver.name)
	merge = func() func() {
		require.NoError(t, d.store.Merge(t.Context(), models.Roster, kept, gone, "desk"))
		d.match(t)
		return func() {
			require.NoError(t, d.store.Unmerge(t.Context(), models.Roster, gone, "desk", "looked at"))
			d.match(t)
		}
	}
	return d, orla, tolliver, fired, merge
}

func TestWhoWasToldOfAMergedBookingHearsOfTheRelease(t *testing.T) {
	t.Parallel()
	d, _, _, fired, merge := mergedTwo(t)
	merge()
	require.Empty(t, fired())
	d.list(t, other) // both keys are gone
	got := fired()
	require.Len(t, got, 2, "both watchers were told of the booking, and one person is released: %v", got)
}

func TestTheLeadOfAMergedBookingIsNoBooking(t *testing.T) {
	t.Parallel()
	d, orla, tolliver, fired, merge := mergedTwo(t)
	merge()
	require.Empty(t, fired())
	d.list(t, other, tolliver)
	one := fired()
	d.list(t, other, orla, tolliver)
	two := fired()
	d.list(t, other, tolliver)
	require.Empty(t, append(append(one, two...), fired()...), "nobody was booked")
}

func TestAnUnmergeIsNoSecondBooking(t *testing.T) {
	t.Parallel()
	d, orla, tolliver, fired, merge := mergedTwo(t)
	unmerge := merge()
	require.Empty(t, fired())
	tolliver.bond = 900_00
	d.list(t, other, orla, tolliver)
	unmerge()
	got := fired()
	for _, e := range got {
		require.NotContains(t, e, "booking ")
	}
}

// Someone is released while merged, under the key that does not lead. Once the two are two people, the release is told once.
func TestAReleaseWhileMergedIsToldWithTheUnmerge(t *testing.T) {
	t.Parallel()
	d, orla, tolliver, fired, merge := mergedTwo(t)
	unmerge := merge()
	tolliver.released = new(d.clock)
	d.list(t, other, orla, tolliver)
	require.Empty(t, fired())
	unmerge()
	require.Equal(t, []string{"release 2 Salvador Wintergreen"}, fired())
	d.list(t, other, orla, tolliver)
	require.Empty(t, fired())
}
