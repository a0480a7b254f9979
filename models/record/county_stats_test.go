package record_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// figures is a store whose clock stands at 11 o'clock in Georgia on 10 March 2026, two days after the clocks went forward.
func figures(t *testing.T, records ...any) *store.Store {
	t.Helper()
	s, _ := figuresAndDatabase(t, records...)
	return s
}

func figuresAndDatabase(t *testing.T, records ...any) (*store.Store, *testdb.DB) {
	t.Helper()
	db := testdb.New(t)
	db.Add(t, records...)
	s, err := store.Open(t.Context(), db.URL, store.Options{Secret: []byte("test"), Now: func() time.Time { return time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC) }})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s, db
}

func TestCountyFiguresCountLocalDays(t *testing.T) {
	t.Parallel()
	s, db := figuresAndDatabase(t,
		testdb.Booking{ID: "a", Name: "A", At: "2026-03-10T03:30:00Z", BondCents: 100_000}, // half past eleven at night, local time
		testdb.Booking{ID: "b", Name: "B", At: "2026-03-08T01:30:00-05:00", Released: "2026-03-08T03:30:00-04:00", BondCents: 5},
		testdb.Booking{ID: "c", Name: "C", At: "2026-03-01T12:00:00-05:00", Released: "2026-03-10T09:00:00-04:00"},
		testdb.Booking{ID: "d", Name: "D", At: "2026-01-01T12:00:00-05:00", BondCents: -1},
		testdb.Booking{ID: "e", Name: "E", At: "2026-03-09T12:00:00-04:00", Withheld: "juvenile", BondCents: 900_000},
		testdb.Booking{ID: "f", Name: "F", At: "2026-03-09T12:00:00-04:00", County: "cobb"},
	)
	days := 7
	c, err := s.CountyStats(t.Context(), "fulton", &days)
	require.NoError(t, err)
	require.Equal(t, 2, c.Population, "who is withheld or held elsewhere does not count")
	require.Equal(t, 1, c.WithBond)
	require.InDelta(t, 1000.0, *c.MedianBond(), 0)
	require.Equal(t, 2, c.Released())
	require.InDelta(t, (1+212)/2.0, *c.MedianHeldHours(), 0.001, "one hour across the change of the clocks, and eight days twenty hours")
	require.NotNil(t, c.ObservedSince)
	seen := *c.ObservedSince
	_, err = db.Pool.Exec(t.Context(), `update bookings set imported = true where id = 'b'`)
	require.NoError(t, err)
	c, err = s.CountyStats(t.Context(), "fulton", &days)
	require.NoError(t, err)
	require.Equal(t, "2026-03-08T07:30:00Z", c.ObservedSince.UTC().Format(time.RFC3339), "a release that was taken over was observed by the system before")
	require.True(t, c.ObservedSince.Before(seen))
	var got [][4]any
	for _, d := range c.Days {
		got = append(got, [4]any{d.Date.String(), d.Bookings, d.Releases, d.Population})
	}
	require.Equal(t, [][4]any{
		{"2026-03-04", 0, 0, 2},
		{"2026-03-05", 0, 0, 2},
		{"2026-03-06", 0, 0, 2},
		{"2026-03-07", 0, 0, 2},
		{"2026-03-08", 1, 1, 2},
		{"2026-03-09", 1, 0, 3},
		{"2026-03-10", 0, 1, 2},
	}, got)
}

func TestMediansOfADayAreThoseOfItsWeek(t *testing.T) {
	t.Parallel()
	s := figures(t,
		testdb.Booking{ID: "a", Name: "A", At: "2026-02-28T23:30:00-05:00", BondCents: 100_000, Released: "2026-03-04T00:30:00-05:00"}, // its eighth day is 7 March
		testdb.Booking{ID: "b", Name: "B", At: "2026-03-01T00:30:00-05:00", BondCents: 300_000},                                        // and its, 8 March
		testdb.Booking{ID: "c", Name: "C", At: "2026-03-07T12:00:00-05:00", BondCents: 500_001, Released: "2026-03-07T14:00:00-05:00"},
		testdb.Booking{ID: "d", Name: "D", At: "2026-03-07T12:00:00-05:00", BondCents: -1, Released: "2026-03-07T18:00:00-05:00"}, // no bond
		testdb.Booking{ID: "e", Name: "E", At: "2026-03-07T12:00:00-05:00", BondCents: 1, Withheld: "juvenile"},
	)
	days := 7
	c, err := s.CountyStats(t.Context(), "fulton", &days)
	require.NoError(t, err)
	type week struct {
		withBond int
		bond     float64
		released int
		hours    float64
	}
	var got []week
	for _, d := range c.Days {
		w := week{withBond: d.Week.WithBond, released: d.Week.Released}
		if m := d.Week.MedianBond(); m != nil {
			w.bond = *m
		}
		if m := d.Week.MedianHeldHours(); m != nil {
			w.hours = *m
		}
		got = append(got, w)
	}
	require.Equal(t, []week{
		{2, 2000, 1, 73}, // 4 March: booked since 26 February
		{2, 2000, 1, 73},
		{2, 2000, 1, 73},
		{2, 4000, 3, 6}, // 7 March: who was booked on 28 February is a week away
		{1, 5000.01, 3, 6},
		{1, 5000.01, 3, 6},
		{1, 5000.01, 3, 6}, // 10 March
	}, got)
}

func TestCountyFiguresOfACountyWithoutRecordsAreNone(t *testing.T) {
	t.Parallel()
	s := figures(t)
	c, err := s.CountyStats(t.Context(), "echols", nil)
	require.NoError(t, err)
	require.Nil(t, c.ObservedSince)
	require.Nil(t, c.MedianBond())
	require.Nil(t, c.MedianHeldHours())
	require.Zero(t, c.Population)
	require.Len(t, c.Days, 90)
	for _, days := range []int{6, 732, -1} {
		_, err := s.CountyStats(t.Context(), "echols", &days)
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err), days)
	}
	_, err = s.CountyStats(t.Context(), "nowhere", nil)
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
}
