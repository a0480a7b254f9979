package resolve_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

func TestALateReleaseOfAnEarlierStaySaysNothing(t *testing.T) {
	t.Parallel()
	delta := &resolve.Policy{ID: "b"}
	booked := func(hours float64) func(*snapshot.RosterRow) {
		return func(r *snapshot.RosterRow) { r.BookedAt = noon(hours) }
	}
	planned := func(r *snapshot.RosterRow) { r.PlannedRelease = new(noon(-90)) }
	now := orla(2, changes)
	for name, c := range map[string]struct {
		late *snapshot.RosterRow
		want string
	}{
		"released days before the booking":     {orla(1, changes, booked(-200), out(-100)), "-"},
		"released hours before the booking":    {orla(1, changes, booked(-20), out(-11)), "-"},
		"planned, of a booking of another day": {orla(1, changes, booked(-200), planned), "-"},
		"the same stay":                        {orla(1, changes, out(0.5)), "- out 0.5"},
		"the same stay, its minute corrected":  {orla(1, changes, booked(-10.5), out(0.5)), "- out 0.5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := claimed(delta, now, c.late)
			require.Equal(t, c.want, stands(one))
			require.Nil(t, one.Facts.Planned)
			require.Equal(t, one, claimed(delta, now, c.late, c.late), "once more")
			if c.want == "-" {
				require.Equal(t, one.Facts, claimed(delta, now).Facts, "nothing of it is taken")
			}
		})
	}
}

// A release that lies before its booking is never kept, in whichever order the two come.
func TestNoClaimEndsBeforeItBegins(t *testing.T) {
	t.Parallel()
	early := &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(2), ReleasedAt: new(noon(-30))}
	for _, rows := range [][]*snapshot.RosterRow{{early, orla(1, changes)}, {orla(1, changes), early}} {
		c := claimed(&resolve.Policy{ID: "b"}, rows...)
		require.Nil(t, c.Facts.Released)
		require.NotContains(t, c.Since, "release", "it was never claimed of this booking")
	}
}

func TestAPendingReleaseIsClaimedSinceItsOwnRow(t *testing.T) {
	t.Parallel()
	delta := &resolve.Policy{ID: "b"}
	booking := orla(1, changes)
	byKey := &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(4), ReleasedAt: new(noon(3))}
	again := &snapshot.RosterRow{Key: "M1", KeyOnly: true, SeenAt: noon(6), ReleasedAt: new(noon(5))}
	for name, rows := range map[string][]*snapshot.RosterRow{
		"released once":  {booking, byKey},
		"released twice": {booking, byKey, again},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after := claimed(delta, append(slices.Clone(rows[1:]), booking)...)
			require.Equal(t, claimed(delta, rows...), after, "in any order")
			other := claimed(&resolve.Policy{ID: "a"}, orla(0, changes), orla(2, changes, out(1.5)), orla(2.5, changes, func(r *snapshot.RosterRow) { r.Held = true }))
			require.Contains(t, stands(after, other), "out", "it is newer than what another source took back before")
		})
	}
}
