package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// In a file of changes the rows of a key came one after the other: a blank of the last takes back nothing that the first states.
func TestRowsOfOneFileOfChangesComeOneAfterTheOther(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	j.reads(changed, 3, j.row("K", orla, 2, 0, 500))
	j.reads(changed, 10, j.row("K", orla, 2, 9, 500), j.row("K", orla, 2, 0, 700))
	require.Equal(t, orla+" 2 released 9 700", j.bookings())
}

// What one row of a file changes and the next one changes back is no news, however often the file is sent.
func TestAFileThatContradictsItselfClaimsNothingAnew(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	since := func() (at *time.Time) {
		require.NoError(t, j.Pool.QueryRow(j.Ctx, `select (since ->> 'bond')::timestamptz from roster_claims where source_id = $1`, changed).Scan(&at))
		return at
	}
	j.reads(changed, 3, j.row("K", orla, 2, 0, 500))
	for hour := 4; hour < 7; hour++ {
		j.reads(changed, hour, j.row("K", orla, 2, 0, 600), j.row("K", orla, 2, 0, 500))
		require.Nil(t, since())
	}
	j.reads(changed, 7, j.row("K", orla, 2, 0, 500), j.row("K", orla, 2, 0, 700))
	require.True(t, j.at(7).Equal(*since()))
}
