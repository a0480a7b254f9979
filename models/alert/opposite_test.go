package alert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnOppositeAnswerAboutOnePersonIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := []string{"fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003"}
	a := b.tell(t, ids...)
	hits := map[string]string{}
	for _, id := range ids {
		b.event(t, a, id, models.EventBooking)
	}
	b.Exec(t, `update bookings set dob = case id when 'fulton-2026-000003' then date '1971-01-01' else date '1990-02-03' end`)
	found, err := b.Store.Hits(b.Ctx, a.account, a.watcher.ID, models.Page{Limit: 3})
	require.NoError(t, err)
	for _, h := range found {
		hits[h.RecordID] = h.ID
	}
	first, same, another := hits[ids[0]], hits[ids[1]], hits[ids[2]]
	answer := func(hit string, v models.HitFeedback) (opposite string) {
		t.Helper()
		h, err := b.Store.Feedback(b.Ctx, a.account, hit, v)
		require.NoError(t, err)
		other, err := b.Store.Opposite(b.Ctx, h)
		require.NoError(t, err)
		if other == nil {
			return ""
		}
		return other.ID
	}
	require.Empty(t, answer(first, models.Confirm), "the only answer")
	require.Empty(t, answer(another, models.Dismiss), "somebody with another birth date")
	require.Empty(t, answer(same, models.Confirm), "the same answer")
	require.Equal(t, same, answer(first, models.Dismiss), "whom a dismissal covers was confirmed")
	require.Equal(t, first, answer(same, models.Confirm), "and whoever is confirmed is dismissed already")
	require.Empty(t, answer(same, models.Unsure), "no answer has no opposite")
	require.Empty(t, answer(first, models.Confirm), "nor has one that the other was taken back of")
	b.Exec(t, `update hits set feedback = 'dismiss' where id = $1`, same)
	require.Empty(t, answer(first, models.Confirm), "nothing was dismissed")
	require.Empty(t, answer(another, models.Confirm))
}
