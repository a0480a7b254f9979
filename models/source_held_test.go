package models

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestALaterFileOfOthersIsNoSuccessOfAHeldCounty assesses a held and a quiet county of a source that was read since.
func TestALaterFileOfOthersIsNoSuccessOfAHeldCounty(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	dayAgo, hourAgo := now.AddDate(0, 0, -1), now.Add(-time.Hour)
	held := Source{LastSuccess: &dayAgo, HeldSince: &hourAgo}
	quietOne := Source{LastSuccess: &dayAgo}
	for _, s := range []*Source{&held, &quietOne} {
		s.follow(&Source{LastSuccess: &now})
	}
	require.Equal(t, dayAgo, *held.LastSuccess)
	require.Equal(t, now, *quietOne.LastSuccess, "it was read, and nothing was new")
}
