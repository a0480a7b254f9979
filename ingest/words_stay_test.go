package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models/source"
)

func TestWordsOfAnEarlierStayAreNotThoseOfALaterOne(t *testing.T) {
	t.Parallel()
	f := newFeeds(t)
	stay := func(key, booked, bond string) string {
		return key + `,"MOONSAIL, ORLA",` + booked + `,$` + bond + `.00,THEFT,N`
	}
	const first, later = "2026-02-01 01:30", "2026-02-04 20:00"
	on := func(feed string, d int, rows ...string) {
		t.Helper()
		r := f.load(f.sources[feed], accused(rows...), day.Add(time.Duration(d)*24*time.Hour))
		require.Equal(t, source.RunOK, r.State, r.String())
	}
	on("a", 0, stay("M1", first, "500"))
	on("b", 0, stay("X9", first, "500"))
	on("a", 1)
	on("b", 1)
	f.events()
	t.Log("the number is used again, and the other feed tells of the new stay too")
	on("a", 3, stay("M1", later, "1000"))
	on("b", 3, stay("Y7", later, "1000"))
	require.Equal(t, "booking 0", f.events())
	require.Equal(t, 1000, f.bond())
	on("a", 4, stay("M1", later, "500"))
	require.Equal(t, 500, f.bond(), "as in the earlier stay, and yet news")
	require.Equal(t, "bond_change 0 500", f.events())
}

func TestANumberUsedAgainForABookingThatAnotherFeedToldFirst(t *testing.T) {
	t.Parallel()
	f := newFeeds(t)
	stay := func(key, booked, bond, charge string) string {
		return key + `,"MOONSAIL, ORLA",` + booked + `,$` + bond + `.00,` + charge + `,N`
	}
	const first, later = "2026-02-01 01:30", "2026-02-04 20:00"
	on := func(feed string, d int, rows ...string) {
		t.Helper()
		r := f.load(f.sources[feed], accused(rows...), day.Add(time.Duration(d)*24*time.Hour))
		require.Equal(t, source.RunOK, r.State, r.String())
	}
	on("a", 0, stay("M1", first, "500", "THEFT"))
	on("b", 0, stay("X9", first, "500", "THEFT"))
	on("a", 1)
	on("b", 1)
	on("b", 3, stay("X9", later, "900", "THEFT"))
	on("a", 3, stay("M1", later, "1000", "THEFT"))
	f.events()
	on("b", 4, stay("X9", later, "900", "DUI"))
	on("a", 4, stay("M1", later, "1000", "DUI"))
	require.Equal(t, 1000, f.bond())
	require.Empty(t, f.events())
	on("b", 5, stay("X9", later, "500", "DUI"))
	require.Equal(t, "bond_change 0 500", f.events())
	on("a", 5, stay("M1", later, "500", "DUI"))
	on("a", 6, stay("M1", later, "700", "DUI"))
	require.Equal(t, "bond_change 0 700", f.events())
}
