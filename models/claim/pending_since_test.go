package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/snapshot"
)

// Another source says that somebody is held. A newer release by key is believed, also when it comes before its booking.
func TestTheOrderOfABookingAndItsReleaseDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, releaseFirst := range []bool{false, true} {
		j := withJailFiles(t)
		j.changing(t, "other")
		held := j.row("Z", orla, 2, 0, 500)
		held.Held, held.Fingerprint = true, []byte("held")
		files := map[int]snapshot.RosterRow{3: j.row("K", orla, 2, 0, 500), 10: j.out("K", 9)}
		j.reads("other", 4, j.row("Z", orla, 2, 4, 500))
		j.reads("other", 5, held)
		hours := []int{3, 10}
		if releaseFirst {
			hours = []int{10, 3}
		}
		for _, hour := range hours {
			j.reads(changed, hour, files[hour])
		}
		require.Equal(t, orla+" 2 released 9 500", j.bookings())
	}
}
