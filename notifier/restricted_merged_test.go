package notifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An operator withholds the record that stayed, and takes the merge back: nobody knows whom of the two the order is about.
func TestWhatIsWithheldByHandAfterAMergeStaysSoAfterTheUnmerge(t *testing.T) {
	t.Parallel()
	d, orla, tolliver, fired, merge := mergedTwo(t)
	unmerge := merge()
	require.Empty(t, fired())
	var id string
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select id from published_bookings where name = 'MOONSAIL, ORLA'`).Scan(&id))
	_, err := d.store.Restrict(t.Context(), id, "desk", "an order")
	require.NoError(t, err)
	d.match(t)
	d.list(t, other, orla, tolliver)
	unmerge()
	d.list(t, other, orla, tolliver)
	var n int
	require.NoError(t, d.db.Pool.QueryRow(t.Context(), `select count(*) from published_bookings where name in ('MOONSAIL, ORLA', 'WINTERGREEN, SALVADOR')`).Scan(&n))
	require.Zero(t, n)
}
