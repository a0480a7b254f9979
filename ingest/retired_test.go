package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// All counties of a source are retired: their records must be stale.
func TestAllCountiesRetiredAreStale(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := published(t, 0)
	at := b.now.Add(-10 * 24 * time.Hour)
	b.now = at
	b.runSource(s, "a.csv", f1(at, 8, false, asBefore, "Appling", "Bacon"), at)
	b.now = b.now.Add(10 * 24 * time.Hour)
	appling := b.county("appling")
	fresh := func(c *models.County) models.Freshness {
		var slug *string
		if c != nil {
			slug = &c.Slug
		}
		f, err := b.store.Freshness(b.Context(), models.Roster, slug)
		require.NoError(t, err)
		return f
	}
	require.NoError(t, b.store.RetireSource(b.Context(), models.ScopeID(s.ID, "appling"), b.now))
	require.Equal(t, []string{"appling"}, fresh(appling).Stale)
	require.NoError(t, b.store.RetireSource(b.Context(), models.ScopeID(s.ID, "bacon"), b.now))
	b.now = b.now.Add(time.Minute) // answers are kept for a second
	require.Contains(t, fresh(nil).Stale, "appling")
	require.Contains(t, fresh(nil).Stale, "bacon")
	require.Equal(t, []string{"appling"}, fresh(appling).Stale)
	require.Nil(t, fresh(appling).AsOf, "nothing changes it any more")
}

// One county in the file, and it is retired: its records are ten days old and nobody says so.
func TestTheOnlyCountyRetiredIsStale(t *testing.T) {
	t.Parallel()
	for _, i := range []int{0, 2} {
		t.Run(policies[i].name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			s := published(t, i)
			b.now = firstDay
			b.runSource(s, "a.csv", f1(firstDay, 8, s.Complete.EndMarker, asBefore, "Bacon"), firstDay)
			b.now = firstDay.AddDate(0, 0, 10)
			require.NoError(t, b.store.RetireSource(b.Context(), models.ScopeID(s.ID, "bacon"), b.now))
			b.now = b.now.Add(time.Minute)
			slug := "bacon"
			for _, only := range []*string{nil, &slug} {
				f, err := b.store.Freshness(b.Context(), models.Roster, only)
				require.NoError(t, err)
				require.Equal(t, []string{"bacon"}, f.Stale)
			}
		})
	}
}

// A vendor goes on answering with the same old list after the jail left it: it is retired, and asked again.
func TestTheSameBytesEndNoRetirement(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := many(t)
	text := flagFile(8, func(int) string { return "N" }, "Appling")
	at := b.now
	b.runSource(s, "a.csv", text, at)
	b.now = b.now.AddDate(0, 0, 9)
	require.NoError(t, b.store.RetireSource(b.Context(), models.ScopeID(s.ID, "appling"), b.now))
	b.now = b.now.Add(time.Hour)
	b.runSource(s, "a.csv", text, b.now)
	b.now = b.now.Add(time.Minute)
	require.Nil(t, b.sources()[models.ScopeID(s.ID, "appling")], "the same bytes are nothing new")

	r := b.runSource(s, "a.csv", flagFile(8, func(i int) string { return "NY"[i/7 : i/7+1] }, "Appling"), b.now)
	require.NotNil(t, b.sources()[models.ScopeID(s.ID, "appling")], "other bytes are news: %s", r)
}
