package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

func TestBookingsOfOnePersonShareIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quentin(t)
	b.Add(t, testdb.Booking{ID: "fulton-2026-000005", Name: "ROE, JANE"})
	rids := map[string]int64{}
	for _, id := range []string{"cobb-2024-000001", "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000005"} {
		one, err := b.Store.BookingByID(b.Ctx, id)
		require.NoError(t, err)
		rids[id] = one.RID
	}
	var all []int64
	for _, rid := range rids {
		all = append(all, rid)
	}
	found, err := b.Store.PeopleOfBookings(b.Ctx, append(all, 999_999))
	require.NoError(t, err)
	require.Len(t, found, 5, "a booking that is not published has no person")
	whose := func(id string) *models.Person { return found[rids[id]] }
	require.Same(t, whose("cobb-2024-000001"), whose("fulton-2026-000001"), "joined by the birth date")
	require.Equal(t, "gdc-G1", whose("cobb-2024-000001").ID)
	for _, apart := range []string{"fulton-2026-000002", "fulton-2026-000003", "fulton-2026-000005"} {
		require.Equal(t, apart, whose(apart).ID, "a namesake, a weak link and another name stay apart")
	}
	for id, rid := range rids {
		alone, err := b.Store.PersonByID(b.Ctx, id)
		require.NoError(t, err)
		require.Equal(t, alone, found[rid], "the same as the page of the person has")
	}
	none, err := b.Store.PeopleOfBookings(b.Ctx, nil)
	require.NoError(t, err)
	require.Empty(t, none)
}
