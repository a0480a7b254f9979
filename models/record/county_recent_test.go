package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestCountiesSinceCountWhoCameAndLeft(t *testing.T) {
	t.Parallel()
	s := figures(t,
		testdb.Booking{ID: "a", Name: "A", At: "2026-03-10T03:30:00Z"},
		testdb.Booking{ID: "b", Name: "B", At: "2026-03-01T12:00:00Z", Released: "2026-03-10T09:00:00Z"},
		testdb.Booking{ID: "c", Name: "C", County: "cobb", At: "2026-03-10T04:00:00Z", Released: "2026-03-10T09:00:00Z"},
		testdb.Booking{ID: "d", Name: "D", County: "cobb", At: "2026-03-10T05:00:00Z"},
		testdb.Booking{ID: "e", Name: "E", County: "dade", At: "2026-03-10T05:00:00Z", Withheld: "juvenile"},
		testdb.Booking{ID: "f", Name: "F", County: "echols", At: "2026-03-01T05:00:00Z"},
	)
	flows, err := s.CountiesSince(t.Context(), time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	got := map[string][2]int{}
	for _, f := range flows {
		got[f.County.Slug] = [2]int{f.Booked, f.Released}
	}
	require.Equal(t, map[string][2]int{"cobb": {2, 1}, "fulton": {1, 1}}, got, "who is withheld does not count")
	require.Equal(t, "cobb", flows[0].County.Slug, "those with the most bookings first")
}
