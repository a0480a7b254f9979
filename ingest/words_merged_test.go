package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// feeds is a county with several lists of everybody.
type feeds struct {
	*county
	sources map[string]*ingest.Source
	hours   int
}

func newFeeds(t *testing.T) *feeds {
	t.Helper()
	f := &feeds{county: newCounty(t), sources: map[string]*ingest.Source{}}
	for _, name := range []string{"a", "b", "c"} {
		f.sources[name] = accusedSource(t, "county-"+name)
	}
	return f
}

// tell reads a file of a feed, an hour after the one before.
func (f *feeds) tell(feed string, rows ...string) *ingest.Report {
	f.Helper()
	f.hours++
	r := f.load(f.sources[feed], accused(rows...), day.Add(time.Duration(f.hours)*time.Hour))
	require.Equal(f.T, source.RunOK, r.State, r.String())
	return r
}

// merge merges the booking of one key into that of another.
func (f *feeds) merge(kept, gone string) {
	f.Helper()
	id := func(key string) string {
		return one[string](f.bundle, `select b.id from bookings b join roster_claims g on g.record = b.rid where g.stay = 0 and g.key = $1`, key)
	}
	require.NoError(f.T, f.store.MergeBookings(f.Context(), id(kept), id(gone)))
	f.events()
}

// bond is that of the person whom the feeds tell of.
func (f *feeds) bond() int {
	f.Helper()
	return one[int](f.bundle, `select bond_cents / 100 from published_bookings where name like 'MOONSAIL%' order by booked_at desc limit 1`)
}

// orla is a row about that person.
func orla(key, booked, bond, charge string) string {
	return key + `,"MOONSAIL, ORLA",2026-02-01 ` + booked + `,$` + bond + `.00,` + charge + `,N`
}

func TestFeedsOfMergedBookingsDoNotOverwriteEachOther(t *testing.T) {
	t.Parallel()
	f := newFeeds(t)
	f.tell("a", orla("M1", "01:30", "500", "THEFT"))
	f.tell("b", orla("X9", "03:10", "700", "THEFT"))
	f.tell("c", orla("Z5", "05:45", "900", "THEFT"))
	f.merge("M1", "X9")
	f.merge("Z5", "M1")
	f.tell("a", orla("M1", "01:30", "500", "THEFT"))
	f.tell("b", orla("X9", "03:10", "700", "THEFT"))
	f.tell("c", orla("Z5", "05:45", "900", "THEFT"))
	for _, charge := range []string{"DUI", "ARSON"} {
		f.tell("a", orla("M1", "01:30", "500", charge))
		f.tell("b", orla("X9", "03:10", "700", charge))
		f.tell("c", orla("Z5", "05:45", "900", charge))
		require.Equal(t, "MOONSAIL, ORLA 05:45 900 {"+charge+"} booked", f.merged())
		require.Empty(t, f.events(), "nobody told of another bond")
	}
	f.tell("b", orla("X9", "03:10", "750", "ARSON"))
	require.Equal(t, "bond_change 0 750", f.events())
	f.tell("a", orla("M1", "01:30", "500", "DUI"))
	require.Equal(t, 750, f.bond())
	f.tell("a", orla("M1", "01:30", "700", "DUI"))
	require.Equal(t, "bond_change 0 700", f.events(), "its feed changed it")
}

func TestAMergedKeyThatSucceedsIsComparedWithWhatItsFeedToldLast(t *testing.T) {
	t.Parallel()
	f := newFeeds(t)
	f.tell("a", orla("M1", "01:30", "500", "THEFT"), orla("M2", "09:30", "500", "THEFT"))
	f.tell("b", orla("X9", "01:30", "700", "THEFT"))
	f.merge("M1", "M2")
	f.tell("a", orla("M1", "01:30", "600", "THEFT"), orla("M2", "09:30", "500", "THEFT"))
	require.Equal(t, "bond_change 0 600", f.events())
	f.tell("b", orla("X9", "01:30", "800", "THEFT"))
	require.Equal(t, "bond_change 0 800", f.events())
	f.tell("a", orla("M2", "09:30", "600", "THEFT"))
	f.tell("a", orla("M2", "09:30", "600", "THEFT"))
	require.Equal(t, 800, f.bond())
	require.Empty(t, f.events(), "as it told under the own key")
	f.tell("a", orla("M2", "09:30", "500", "THEFT"))
	require.Equal(t, "bond_change 0 500", f.events())
	f.tell("a", orla("M1", "01:30", "500", "DUI"), orla("M2", "09:30", "500", "THEFT"))
	f.tell("b", orla("X9", "01:30", "800", "ARSON"))
	require.Equal(t, 500, f.bond())
	require.Empty(t, f.events(), "the own key is back, and tells what the other one told")
}
