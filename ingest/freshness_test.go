package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/source"
	"rollcall/models/store"
)

// TestFEEDS13EachStateOfASourceIsReachedAndSaidOfItsCounty takes a source that is asked every half hour
// through all its states: the list over its county names the county in every one of them but ok.
func TestFEEDS13EachStateOfASourceIsReachedAndSaidOfItsCounty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := newPortal(t, roster(20))
	s := p.source(t, "county-a")
	s.Complete.Shrink = 0.4
	county := "ben-hill"
	store, err := store.Open(t.Context(), b.db.URL, store.Options{Now: func() time.Time { return b.now }})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	read := func() *ingest.Report {
		report, err := b.runner.Run(t.Context(), s, ingest.Input{})
		require.NoError(t, err)
		return report
	}
	expect := func(state models.SourceState, lag time.Duration) {
		t.Helper()
		sources, err := store.Sources(t.Context())
		require.NoError(t, err)
		require.Len(t, sources, 1)
		require.Equal(t, state, sources[0].State())
		require.Equal(t, int(lag/time.Second), *sources[0].LagSeconds())
		require.Equal(t, county, sources[0].Coverage()[0].Slug)
		fresh, err := store.Freshness(t.Context(), models.Roster, &county)
		require.NoError(t, err)
		require.Equal(t, b.now.Add(-lag), fresh.AsOf.UTC())
		if state == models.SourceOK {
			require.Empty(t, fresh.Stale)
		} else {
			require.Equal(t, []string{county}, fresh.Stale)
		}
	}
	read()
	require.NoError(t, b.store.EnableSource(t.Context(), s.ID, true))
	expect(models.SourceOK, 0)
	b.now = b.now.Add(59 * time.Minute)
	expect(models.SourceOK, 59*time.Minute)
	b.now = b.now.Add(time.Minute)
	expect(models.SourceLate, time.Hour)
	b.now = b.now.Add(30 * time.Minute)
	expect(models.SourceDown, 90*time.Minute)

	p.says(roster(5))
	require.Equal(t, source.RunHeld, read().State)
	expect(models.SourceHeld, 90*time.Minute)

	b.now = b.now.Add(time.Minute)
	require.Equal(t, source.RunOK, b.release(s).State)
	b.now = b.now.Add(time.Second) // states are kept for a second
	expect(models.SourceOK, time.Minute+time.Second)
	read()
	b.now = b.now.Add(time.Second)
	expect(models.SourceOK, time.Second)

	p.says("please solve this captcha")
	read()
	b.now = b.now.Add(time.Second)
	expect(models.SourceRefused, 2*time.Second)
}
