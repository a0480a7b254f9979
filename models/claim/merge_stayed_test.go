package claim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestTheBookingThatStayedIsRecognisedAsItWas(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string]bool{"not merged": false, "merged": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := withJailFiles(t)
			one, two := j.row("K1", orla, 2, 0, 500), j.row("K2", tolliver, 2, 0, 500)
			j.Now = j.at(3)
			j.reads(lists, 3, one, two)
			kept, gone := j.id(orla), j.id(tolliver)
			if merge {
				require.NoError(t, j.Store.MergeBookings(j.Ctx, kept, gone))
			}
			j.Now = j.at(4)
			j.reads(changed, 4, j.row("M2", tolliver, 2, 0, 500))
			j.Now = j.at(5)
			j.reads(changed, 5, j.row("M1", orla, 2, 0, 500))
			var events int
			require.NoError(t, j.Pool.QueryRow(j.Ctx, `select count(*) from changes where kind = 'booking' and name = $1 and old_name is null`, orla).Scan(&events))
			if merge {
				j.Now = j.at(6)
				require.NoError(t, j.Store.Unmerge(j.Ctx, models.Roster, gone, "desk", "looked at"))
			}
			require.Equal(t, 1, strings.Count(j.bookings(), orla), "%s; events of a booking of %s: %d", j.bookings(), orla, events)
		})
	}
}
