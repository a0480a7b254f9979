package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

// The parts are one store: what one of them writes another reads, by one clock.
func TestTheStoreIsItsPartsOnOneDatabase(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	db.Add(t, testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "DOE, JANE"})
	now := time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), db.URL, store.Options{Now: func() time.Time { return now }})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	require.Equal(t, now, s.Now())
	require.NoError(t, s.MergeBookings(t.Context(), "fulton-2026-000001", "fulton-2026-000002"))
	b, err := s.BookingByID(t.Context(), "fulton-2026-000002")
	require.NoError(t, err)
	require.Equal(t, "fulton-2026-000001", b.ID)
	require.Equal(t, now, b.LastChange.UTC())
	_, err = s.BookingByID(t.Context(), "fulton-2026-000009")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestAStoreWithoutADatabaseIsAnErrorThatNamesNoPassword(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), "postgres://somebody:secret@localhost:1/none?connect_timeout=1", store.Options{})
	if err == nil { // the pool connects when it is first used
		t.Cleanup(s.Close)
		_, err = s.BookingByID(t.Context(), "fulton-2026-000001")
	}
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}
