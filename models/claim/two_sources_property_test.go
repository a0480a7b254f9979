package claim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
)

// A jail publishes whole lists, and sends what changed besides. A message may be sent again as it was after a list lacked the
// person: the booking is open again at once, and not only when somebody resolves it anew.
func TestAListAndMessagesOfOneJailResolveAnewToTheSame(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	trial, reopened := 0, 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		begin := time.Date(2000, 1, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, 7*trial)
		whole, changes := fmt.Sprintf("w%d", trial), fmt.Sprintf("c%d", trial)
		b.roster(r, whole)
		b.changing(r, changes)
		var parts []func()
		for _, l := range drawLists(r, fulton.ID, begin) {
			l.hour *= 2
			parts = append(parts, func() { b.list(r, whole, begin.AddDate(0, 0, 1), l) })
		}
		messages := drawMessages(r, fulton.ID, begin)
		again := rapid.SliceOfN(rapid.SampledFrom(messages), 0, 3).Draw(r, "again")
		for i := range again {
			again[i].hour = 10 + i
		}
		for _, m := range append(messages, again...) {
			parts = append(parts, func() { b.reports(r, changes, begin.AddDate(0, 0, 1), m) })
		}
		for _, part := range rapid.Permutation(parts).Draw(r, "order") {
			part()
			rebuilt, err := b.Store.Rebuild(b.Ctx, models.Roster, true)
			require.NoError(r, err)
			require.Empty(r, rebuilt.Changes, "to resolve anew changes nothing")
		}
		var open int
		require.NoError(r, b.Pool.QueryRow(b.Ctx, `select count(*) from record_changes v join roster_claims c on c.record = v.record
 where c.source_id = $1 and v.family = 'roster' and v.field = 'released_at' and v.after is null`, changes).Scan(&open))
		reopened += open
	})
	require.NotZero(t, reopened, "some booking was open again")
}
