package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestEverybodyBookedLatelyIsSeenOnceHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// More than a statement reads, and a hundred at a time at the same moment.
	b.Exec(t, `insert into bookings (id, county_id, source_id, name, name_key, booked_at, withheld, first_seen, last_seen, last_change, gen)
 select 'x-' || i, 1 + 2 * (i % 2), 'jail', 'N' || i, 'n', '2026-03-10'::timestamptz - i / 100 * interval '1 hour', case when i % 10 = 0 then 'restricted'::withheld_reason end, now(), now(), now(), 1
 from generate_series(0, 14999) i`)
	since := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC).Add(-119 * time.Hour)
	appling, err := b.Store.Counties().BySlug("appling")
	require.NoError(t, err)
	for want, county := range map[int]*models.County{12_000 * 9 / 10: nil, 12_000 * 4 / 10: appling} {
		seen := map[int64]bool{}
		var last time.Time
		require.NoError(t, b.Store.PeopleBookedSince(b.Ctx, since, county, func(p *models.BookedPerson) bool {
			require.False(t, seen[p.RID])
			require.True(t, last.IsZero() || !p.BookedAt.After(last), "newest first")
			seen[p.RID], last = true, p.BookedAt
			return true
		}))
		require.Len(t, seen, want)
	}
	n := 0
	require.NoError(t, b.Store.PeopleBookedSince(b.Ctx, since, nil, func(*models.BookedPerson) bool {
		n++
		return n < 7000
	}))
	require.Equal(t, 7000, n, "it ends when enough were seen")
}
