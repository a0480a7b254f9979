package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A list repeats a release by key from before the booking. The release is refused, and it lists nobody: when the booking leaves
// the list, the person is released.
func TestARefusedReleaseByKeyKeepsNobodyInAList(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	stays := j.row("F", "THISTLEDOWN, PIP", 1, 0, 1)
	j.reads(lists, 30, stays, j.row("K", orla, 20, 0, 500), j.out("K", 10))
	require.Contains(t, j.bookings(), orla+" 20 booked 500")
	for hour := 31; hour < 34; hour++ {
		applied := j.reads(lists, hour, stays, j.out("K", 10))
		require.Len(t, applied.Rejected, 1)
	}
	require.Contains(t, j.bookings(), orla+" 20 released 31 500")
}
